// Collectives: one file per family in api/collective/, with the blocking, the nonblocking and the persistent
// form of each call.
#pragma once

#include <mpi.h>

#include "api/core/call.hpp"

namespace foldlane::api {

int barrier(Call call, MPI_Comm comm);
int ibarrier(Call call, MPI_Comm comm, MPI_Request* request);
int barrier_init(Call call, MPI_Comm comm, MPI_Info info, MPI_Request* request);

int bcast(Call call, void* buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm);
int ibcast(Call call, void* buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm,
           MPI_Request* request);
int bcast_init(Call call, void* buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm,
               MPI_Info info, MPI_Request* request);

int reduce(Call call, const void* send, void* recv, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
           int root, MPI_Comm comm);
int ireduce(Call call, const void* send, void* recv, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
            int root, MPI_Comm comm, MPI_Request* request);
int reduce_init(Call call, const void* send, void* recv, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                int root, MPI_Comm comm, MPI_Info info, MPI_Request* request);

int allreduce(Call call, const void* send, void* recv, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
              MPI_Comm comm);
int iallreduce(Call call, const void* send, void* recv, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
               MPI_Comm comm, MPI_Request* request);
int allreduce_init(Call call, const void* send, void* recv, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                   MPI_Comm comm, MPI_Info info, MPI_Request* request);

int reduce_scatter(Call call, const void* send, void* recv, const int* counts, MPI_Datatype datatype,
                   MPI_Op op, MPI_Comm comm);
int ireduce_scatter(Call call, const void* send, void* recv, const int* counts, MPI_Datatype datatype,
                    MPI_Op op, MPI_Comm comm, MPI_Request* request);
int reduce_scatter_init(Call call, const void* send, void* recv, const int* counts, MPI_Datatype datatype,
                        MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request* request);
int reduce_scatter(Call call, const void* send, void* recv, const MPI_Count* counts, MPI_Datatype datatype,
                   MPI_Op op, MPI_Comm comm);
int ireduce_scatter(Call call, const void* send, void* recv, const MPI_Count* counts, MPI_Datatype datatype,
                    MPI_Op op, MPI_Comm comm, MPI_Request* request);
int reduce_scatter_init(Call call, const void* send, void* recv, const MPI_Count* counts,
                        MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request* request);

int reduce_scatter_block(Call call, const void* send, void* recv, MPI_Count count, MPI_Datatype datatype,
                         MPI_Op op, MPI_Comm comm);
int ireduce_scatter_block(Call call, const void* send, void* recv, MPI_Count count, MPI_Datatype datatype,
                          MPI_Op op, MPI_Comm comm, MPI_Request* request);
int reduce_scatter_block_init(Call call, const void* send, void* recv, MPI_Count count, MPI_Datatype datatype,
                              MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request* request);

int scan(Call call, const void* send, void* recv, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
         MPI_Comm comm);
int iscan(Call call, const void* send, void* recv, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
          MPI_Comm comm, MPI_Request* request);
int scan_init(Call call, const void* send, void* recv, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
              MPI_Comm comm, MPI_Info info, MPI_Request* request);

int exscan(Call call, const void* send, void* recv, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
           MPI_Comm comm);
int iexscan(Call call, const void* send, void* recv, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
            MPI_Comm comm, MPI_Request* request);
int exscan_init(Call call, const void* send, void* recv, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                MPI_Comm comm, MPI_Info info, MPI_Request* request);

}  // namespace foldlane::api
