// Messages between two ranks.
#pragma once

#include <mpi.h>

#include "api/core/call.hpp"

namespace foldlane::api {

// send.cpp
int send(Call call, const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
         MPI_Comm comm);
int ssend(Call call, const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
          MPI_Comm comm);
int rsend(Call call, const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
          MPI_Comm comm);
int isend(Call call, const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
          MPI_Comm comm, MPI_Request* request);
int issend(Call call, const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
           MPI_Comm comm, MPI_Request* request);
int irsend(Call call, const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
           MPI_Comm comm, MPI_Request* request);
int send_init(Call call, const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
              MPI_Comm comm, MPI_Request* request);
int ssend_init(Call call, const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
               MPI_Comm comm, MPI_Request* request);
int rsend_init(Call call, const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
               MPI_Comm comm, MPI_Request* request);

// buffered_send.cpp
int bsend(Call call, const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
          MPI_Comm comm);
int ibsend(Call call, const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
           MPI_Comm comm, MPI_Request* request);
int bsend_init(Call call, const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
               MPI_Comm comm, MPI_Request* request);

// buffers.cpp
int buffer_attach(Call call, void* buffer, MPI_Count size);
int buffer_detach(Call call, void* buffer_addr, int* size);
int buffer_detach(Call call, void* buffer_addr, MPI_Count* size);
int buffer_flush(Call call);
int buffer_iflush(Call call, MPI_Request* request);
int comm_attach_buffer(Call call, MPI_Comm comm, void* buffer, MPI_Count size);
int comm_detach_buffer(Call call, MPI_Comm comm, void* buffer_addr, int* size);
int comm_detach_buffer(Call call, MPI_Comm comm, void* buffer_addr, MPI_Count* size);
int comm_flush_buffer(Call call, MPI_Comm comm);
int comm_iflush_buffer(Call call, MPI_Comm comm, MPI_Request* request);
int session_attach_buffer(Call call, MPI_Session session, void* buffer, MPI_Count size);
int session_detach_buffer(Call call, MPI_Session session, void* buffer_addr, int* size);
int session_detach_buffer(Call call, MPI_Session session, void* buffer_addr, MPI_Count* size);
int session_flush_buffer(Call call, MPI_Session session);
int session_iflush_buffer(Call call, MPI_Session session, MPI_Request* request);

// partitioned_calls.cpp
int psend_init(Call call, const void* buf, int partitions, MPI_Count count, MPI_Datatype datatype, int dest,
               int tag, MPI_Comm comm, MPI_Info info, MPI_Request* request);
int precv_init(Call call, void* buf, int partitions, MPI_Count count, MPI_Datatype datatype, int source,
               int tag, MPI_Comm comm, MPI_Info info, MPI_Request* request);
int pready(Call call, int partition, MPI_Request request);
int pready_range(Call call, int partition_low, int partition_high, MPI_Request request);
int pready_list(Call call, int length, const int* array_of_partitions, MPI_Request request);
int parrived(Call call, MPI_Request request, int partition, int* flag);

// receive.cpp
int recv(Call call, void* buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
         MPI_Status* status);
int irecv(Call call, void* buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
          MPI_Request* request);
int recv_init(Call call, void* buf, MPI_Count count, MPI_Datatype datatype, int source, int tag,
              MPI_Comm comm, MPI_Request* request);

// sendrecv.cpp
int sendrecv(Call call, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dest,
             int sendtag, void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int source, int recvtag,
             MPI_Comm comm, MPI_Status* status);
int sendrecv_replace(Call call, void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int sendtag,
                     int source, int recvtag, MPI_Comm comm, MPI_Status* status);
int isendrecv(Call call, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dest,
              int sendtag, void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int source, int recvtag,
              MPI_Comm comm, MPI_Request* request);
int isendrecv_replace(Call call, void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int sendtag,
                      int source, int recvtag, MPI_Comm comm, MPI_Request* request);

// probe.cpp
int probe(Call call, int source, int tag, MPI_Comm comm, MPI_Status* status);
int iprobe(Call call, int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status);
int mprobe(Call call, int source, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status);
int improbe(Call call, int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message,
            MPI_Status* status);
int mrecv(Call call, void* buf, MPI_Count count, MPI_Datatype datatype, MPI_Message* message,
          MPI_Status* status);
int imrecv(Call call, void* buf, MPI_Count count, MPI_Datatype datatype, MPI_Message* message,
           MPI_Request* request);

}  // namespace foldlane::api
