// What Open MPI 4 lacks of the calls that move data: large counts are made small. Of the forms only the
// blocking one is wanted (FOLDLANE_TEST_FORMS).
#pragma once

#include <mpi.h>

#include <vector>

/// One number for each of the partners.
template <class Wide>
std::vector<int> narrowed(const Wide* numbers, MPI_Comm comm) {
  int is_inter = 0, size = 0;
  MPI_Comm_test_inter(comm, &is_inter);
  MPI_Comm_size(comm, &size);
  if (is_inter != 0) MPI_Comm_remote_size(comm, &size);
  return numbers == nullptr ? std::vector<int>() : std::vector<int>(numbers, numbers + size);
}
#define NARROW(numbers, comm) narrowed(numbers, comm).data()

#define MPI_Gather_c MPI_Gather
#define MPI_Scatter_c MPI_Scatter
#define MPI_Allgather_c MPI_Allgather
#define MPI_Alltoall_c MPI_Alltoall
#define MPI_Gatherv_c(send, n, type, recv, counts, places, other, root, comm) \
  MPI_Gatherv(send, n, type, recv, NARROW(counts, comm), NARROW(places, comm), other, root, comm)
#define MPI_Scatterv_c(send, counts, places, type, recv, n, other, root, comm) \
  MPI_Scatterv(send, NARROW(counts, comm), NARROW(places, comm), type, recv, n, other, root, comm)
#define MPI_Allgatherv_c(send, n, type, recv, counts, places, other, comm) \
  MPI_Allgatherv(send, n, type, recv, NARROW(counts, comm), NARROW(places, comm), other, comm)
#define MPI_Alltoallv_c(send, counts, places, type, recv, rcounts, rplaces, other, comm)             \
  MPI_Alltoallv(send, NARROW(counts, comm), NARROW(places, comm), type, recv, NARROW(rcounts, comm), \
                NARROW(rplaces, comm), other, comm)
#define MPI_Alltoallw_c(send, counts, places, types, recv, rcounts, rplaces, others, comm)            \
  MPI_Alltoallw(send, NARROW(counts, comm), NARROW(places, comm), types, recv, NARROW(rcounts, comm), \
                NARROW(rplaces, comm), others, comm)

#define MPI_Gather_init(...) 0
#define MPI_Gatherv_init(...) 0
#define MPI_Scatter_init(...) 0
#define MPI_Scatterv_init(...) 0
#define MPI_Allgather_init(...) 0
#define MPI_Allgatherv_init(...) 0
#define MPI_Alltoall_init(...) 0
#define MPI_Alltoallv_init(...) 0
#define MPI_Alltoallw_init(...) 0
#define MPI_Gather_init_c(...) 0
#define MPI_Gatherv_init_c(...) 0
#define MPI_Scatter_init_c(...) 0
#define MPI_Scatterv_init_c(...) 0
#define MPI_Allgather_init_c(...) 0
#define MPI_Allgatherv_init_c(...) 0
#define MPI_Alltoall_init_c(...) 0
#define MPI_Alltoallv_init_c(...) 0
#define MPI_Alltoallw_init_c(...) 0
#define MPI_Igather_c(...) 0
#define MPI_Igatherv_c(...) 0
#define MPI_Iscatter_c(...) 0
#define MPI_Iscatterv_c(...) 0
#define MPI_Iallgather_c(...) 0
#define MPI_Iallgatherv_c(...) 0
#define MPI_Ialltoall_c(...) 0
#define MPI_Ialltoallv_c(...) 0
#define MPI_Ialltoallw_c(...) 0

// None of these is called (kMovesAmongNeighbours).
#define MPI_Neighbor_allgather_c(...) 0
#define MPI_Ineighbor_allgather_c(...) 0
#define MPI_Neighbor_allgather_init(...) 0
#define MPI_Neighbor_allgather_init_c(...) 0
#define MPI_Neighbor_allgatherv_c(...) 0
#define MPI_Ineighbor_allgatherv_c(...) 0
#define MPI_Neighbor_allgatherv_init(...) 0
#define MPI_Neighbor_allgatherv_init_c(...) 0
#define MPI_Neighbor_alltoall_c(...) 0
#define MPI_Ineighbor_alltoall_c(...) 0
#define MPI_Neighbor_alltoall_init(...) 0
#define MPI_Neighbor_alltoall_init_c(...) 0
#define MPI_Neighbor_alltoallv_c(...) 0
#define MPI_Ineighbor_alltoallv_c(...) 0
#define MPI_Neighbor_alltoallv_init(...) 0
#define MPI_Neighbor_alltoallv_init_c(...) 0
#define MPI_Neighbor_alltoallw_c(...) 0
#define MPI_Ineighbor_alltoallw_c(...) 0
#define MPI_Neighbor_alltoallw_init(...) 0
#define MPI_Neighbor_alltoallw_init_c(...) 0
