/* One rank makes a mistake while the others wait for it: the job must end with its message. */
#include <mpi.h>

int main(void) {
  int rank, size, value = 1, sum = 0;
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Allreduce(&value, &sum, rank == size - 1 ? -3 : 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
