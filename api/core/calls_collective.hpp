// Collectives: one file per family in api/collective/, with the blocking, the nonblocking and the persistent
// form of each call.
#pragma once

#include <mpi.h>

#include "api/core/call.hpp"
#include "engine/data/block_counts.hpp"

namespace foldlane::api {

/// Counts or displacements, one for each member.
using Numbers = engine::BlockCounts;

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

int gather(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
           MPI_Count recv_count, MPI_Datatype recv_type, int root, MPI_Comm comm);
int igather(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
            MPI_Count recv_count, MPI_Datatype recv_type, int root, MPI_Comm comm, MPI_Request* request);
int gather_init(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
                MPI_Count recv_count, MPI_Datatype recv_type, int root, MPI_Comm comm, MPI_Info info,
                MPI_Request* request);

int gatherv(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
            const Numbers& recv_counts, const Numbers& recv_places, MPI_Datatype recv_type, int root,
            MPI_Comm comm);
int igatherv(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
             const Numbers& recv_counts, const Numbers& recv_places, MPI_Datatype recv_type, int root,
             MPI_Comm comm, MPI_Request* request);
int gatherv_init(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
                 const Numbers& recv_counts, const Numbers& recv_places, MPI_Datatype recv_type, int root,
                 MPI_Comm comm, MPI_Info info, MPI_Request* request);

int scatter(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
            MPI_Count recv_count, MPI_Datatype recv_type, int root, MPI_Comm comm);
int iscatter(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
             MPI_Count recv_count, MPI_Datatype recv_type, int root, MPI_Comm comm, MPI_Request* request);
int scatter_init(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
                 MPI_Count recv_count, MPI_Datatype recv_type, int root, MPI_Comm comm, MPI_Info info,
                 MPI_Request* request);

int scatterv(Call call, const void* send, const Numbers& send_counts, const Numbers& send_places,
             MPI_Datatype send_type, void* recv, MPI_Count recv_count, MPI_Datatype recv_type, int root,
             MPI_Comm comm);
int iscatterv(Call call, const void* send, const Numbers& send_counts, const Numbers& send_places,
              MPI_Datatype send_type, void* recv, MPI_Count recv_count, MPI_Datatype recv_type, int root,
              MPI_Comm comm, MPI_Request* request);
int scatterv_init(Call call, const void* send, const Numbers& send_counts, const Numbers& send_places,
                  MPI_Datatype send_type, void* recv, MPI_Count recv_count, MPI_Datatype recv_type, int root,
                  MPI_Comm comm, MPI_Info info, MPI_Request* request);

int allgather(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
              MPI_Count recv_count, MPI_Datatype recv_type, MPI_Comm comm);
int iallgather(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
               MPI_Count recv_count, MPI_Datatype recv_type, MPI_Comm comm, MPI_Request* request);
int allgather_init(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
                   MPI_Count recv_count, MPI_Datatype recv_type, MPI_Comm comm, MPI_Info info,
                   MPI_Request* request);

int allgatherv(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
               const Numbers& recv_counts, const Numbers& recv_places, MPI_Datatype recv_type, MPI_Comm comm);
int iallgatherv(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
                const Numbers& recv_counts, const Numbers& recv_places, MPI_Datatype recv_type, MPI_Comm comm,
                MPI_Request* request);
int allgatherv_init(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
                    const Numbers& recv_counts, const Numbers& recv_places, MPI_Datatype recv_type,
                    MPI_Comm comm, MPI_Info info, MPI_Request* request);

int alltoall(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
             MPI_Count recv_count, MPI_Datatype recv_type, MPI_Comm comm);
int ialltoall(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
              MPI_Count recv_count, MPI_Datatype recv_type, MPI_Comm comm, MPI_Request* request);
int alltoall_init(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
                  MPI_Count recv_count, MPI_Datatype recv_type, MPI_Comm comm, MPI_Info info,
                  MPI_Request* request);

int alltoallv(Call call, const void* send, const Numbers& send_counts, const Numbers& send_places,
              MPI_Datatype send_type, void* recv, const Numbers& recv_counts, const Numbers& recv_places,
              MPI_Datatype recv_type, MPI_Comm comm);
int ialltoallv(Call call, const void* send, const Numbers& send_counts, const Numbers& send_places,
               MPI_Datatype send_type, void* recv, const Numbers& recv_counts, const Numbers& recv_places,
               MPI_Datatype recv_type, MPI_Comm comm, MPI_Request* request);
int alltoallv_init(Call call, const void* send, const Numbers& send_counts, const Numbers& send_places,
                   MPI_Datatype send_type, void* recv, const Numbers& recv_counts, const Numbers& recv_places,
                   MPI_Datatype recv_type, MPI_Comm comm, MPI_Info info, MPI_Request* request);

int alltoallw(Call call, const void* send, const Numbers& send_counts, const Numbers& send_places,
              const MPI_Datatype* send_types, void* recv, const Numbers& recv_counts,
              const Numbers& recv_places, const MPI_Datatype* recv_types, MPI_Comm comm);
int ialltoallw(Call call, const void* send, const Numbers& send_counts, const Numbers& send_places,
               const MPI_Datatype* send_types, void* recv, const Numbers& recv_counts,
               const Numbers& recv_places, const MPI_Datatype* recv_types, MPI_Comm comm,
               MPI_Request* request);
int alltoallw_init(Call call, const void* send, const Numbers& send_counts, const Numbers& send_places,
                   const MPI_Datatype* send_types, void* recv, const Numbers& recv_counts,
                   const Numbers& recv_places, const MPI_Datatype* recv_types, MPI_Comm comm, MPI_Info info,
                   MPI_Request* request);

int neighbor_allgather(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
                       MPI_Count recv_count, MPI_Datatype recv_type, MPI_Comm comm);
int ineighbor_allgather(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
                        MPI_Count recv_count, MPI_Datatype recv_type, MPI_Comm comm, MPI_Request* request);
int neighbor_allgather_init(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type,
                            void* recv, MPI_Count recv_count, MPI_Datatype recv_type, MPI_Comm comm,
                            MPI_Info info, MPI_Request* request);

int neighbor_allgatherv(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
                        const Numbers& recv_counts, const Numbers& recv_places, MPI_Datatype recv_type,
                        MPI_Comm comm);
int ineighbor_allgatherv(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type,
                         void* recv, const Numbers& recv_counts, const Numbers& recv_places,
                         MPI_Datatype recv_type, MPI_Comm comm, MPI_Request* request);
int neighbor_allgatherv_init(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type,
                             void* recv, const Numbers& recv_counts, const Numbers& recv_places,
                             MPI_Datatype recv_type, MPI_Comm comm, MPI_Info info, MPI_Request* request);

int neighbor_alltoall(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
                      MPI_Count recv_count, MPI_Datatype recv_type, MPI_Comm comm);
int ineighbor_alltoall(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
                       MPI_Count recv_count, MPI_Datatype recv_type, MPI_Comm comm, MPI_Request* request);
int neighbor_alltoall_init(Call call, const void* send, MPI_Count send_count, MPI_Datatype send_type,
                           void* recv, MPI_Count recv_count, MPI_Datatype recv_type, MPI_Comm comm,
                           MPI_Info info, MPI_Request* request);

int neighbor_alltoallv(Call call, const void* send, const Numbers& send_counts, const Numbers& send_places,
                       MPI_Datatype send_type, void* recv, const Numbers& recv_counts,
                       const Numbers& recv_places, MPI_Datatype recv_type, MPI_Comm comm);
int ineighbor_alltoallv(Call call, const void* send, const Numbers& send_counts, const Numbers& send_places,
                        MPI_Datatype send_type, void* recv, const Numbers& recv_counts,
                        const Numbers& recv_places, MPI_Datatype recv_type, MPI_Comm comm,
                        MPI_Request* request);
int neighbor_alltoallv_init(Call call, const void* send, const Numbers& send_counts,
                            const Numbers& send_places, MPI_Datatype send_type, void* recv,
                            const Numbers& recv_counts, const Numbers& recv_places, MPI_Datatype recv_type,
                            MPI_Comm comm, MPI_Info info, MPI_Request* request);

int neighbor_alltoallw(Call call, const void* send, const Numbers& send_counts, const Numbers& send_places,
                       const MPI_Datatype* send_types, void* recv, const Numbers& recv_counts,
                       const Numbers& recv_places, const MPI_Datatype* recv_types, MPI_Comm comm);
int ineighbor_alltoallw(Call call, const void* send, const Numbers& send_counts, const Numbers& send_places,
                        const MPI_Datatype* send_types, void* recv, const Numbers& recv_counts,
                        const Numbers& recv_places, const MPI_Datatype* recv_types, MPI_Comm comm,
                        MPI_Request* request);
int neighbor_alltoallw_init(Call call, const void* send, const Numbers& send_counts,
                            const Numbers& send_places, const MPI_Datatype* send_types, void* recv,
                            const Numbers& recv_counts, const Numbers& recv_places,
                            const MPI_Datatype* recv_types, MPI_Comm comm, MPI_Info info,
                            MPI_Request* request);

}  // namespace foldlane::api
