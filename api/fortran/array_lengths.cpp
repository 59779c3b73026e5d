// How long arrays are whose length no parameter says. The questions go to the profiling names: a tool that
// watches MPI_ calls sees the program's only.
#include "api/fortran/kinds.hpp"

namespace foldlane::fortran {
namespace {

int number_of_neighbours(MPI_Comm comm, bool sends) {
  int topology = MPI_UNDEFINED, in = 0, out = 0, weighted = 0;
  if (comm != MPI_COMM_NULL) PMPI_Topo_test(comm, &topology);
  if (topology == MPI_DIST_GRAPH) {
    PMPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
  } else if (topology == MPI_GRAPH) {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Graph_neighbors_count(comm, rank, &out);
    in = out;
  } else if (topology == MPI_CART) {
    PMPI_Cartdim_get(comm, &out);
    in = out *= 2;
  }
  return sends ? out : in;
}

}  // namespace

int peers(const int* comm) {
  const MPI_Comm communicator = handle<MPI_Comm>(comm);
  int inter = 0, size = 0;
  if (communicator == MPI_COMM_NULL || PMPI_Comm_test_inter(communicator, &inter) != MPI_SUCCESS) return 0;
  inter != 0 ? PMPI_Comm_remote_size(communicator, &size) : PMPI_Comm_size(communicator, &size);
  return size;
}

int neighbours(const int* comm, bool sends) { return number_of_neighbours(handle<MPI_Comm>(comm), sends); }

int dimensions(const int* comm) {
  const MPI_Comm communicator = handle<MPI_Comm>(comm);
  int topology = MPI_UNDEFINED, count = 0;
  if (communicator != MPI_COMM_NULL) PMPI_Topo_test(communicator, &topology);
  if (topology == MPI_CART) PMPI_Cartdim_get(communicator, &count);
  return count;
}

std::int64_t at_root(const int* comm, const int* root, std::int64_t count) {
  int rank = MPI_PROC_NULL;
  const MPI_Comm communicator = handle<MPI_Comm>(comm);
  if (communicator != MPI_COMM_NULL) PMPI_Comm_rank(communicator, &rank);
  return rank == *root ? count : 0;
}

}  // namespace foldlane::fortran
