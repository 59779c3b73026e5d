/* A tool in C for tool.f90: it defines MPI_X itself and calls PMPI_X. */
#include <mpi.h>

static int seen = 0;

int MPI_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                  MPI_Comm comm) {
  if (sendbuf == MPI_IN_PLACE) ++seen;
  return PMPI_Allreduce(sendbuf, recvbuf, count, datatype, op, comm);
}

int c_seen(void) { return seen; }
