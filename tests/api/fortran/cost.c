/* The loops of cost.f90 in C: seconds for `calls` calls. */
#include <mpi.h>

double c_rank(int calls) {
  int rank;
  double begin = MPI_Wtime();
  for (int i = 0; i < calls; ++i) MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return MPI_Wtime() - begin;
}

double c_allreduce(int calls) {
  double in = 1, out;
  double begin = MPI_Wtime();
  for (int i = 0; i < calls; ++i) MPI_Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return MPI_Wtime() - begin;
}

double c_wait(int calls) {
  double in = 1, out;
  MPI_Request request;
  double begin = MPI_Wtime();
  for (int i = 0; i < calls; ++i) {
    MPI_Iallreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  return MPI_Wtime() - begin;
}
