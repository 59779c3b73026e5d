/* MPI_ERRORS_ABORT ends the job, like MPI_ERRORS_ARE_FATAL, after a handler of the program has had its turn.
 */
#include <mpi.h>
#include <stdlib.h>

static int calls = 0;

static void count(MPI_Comm* comm, int* code, ...) {
  if (*comm == MPI_COMM_WORLD && *code == MPI_ERR_COUNT) ++calls;
}

int main(void) {
  int rank, size, flag, value = 1, sum = 0;
  int* universe_size;
  MPI_Errhandler handler;
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &universe_size, &flag);
  if (!flag || *universe_size != size) exit(1);
  MPI_Comm_create_errhandler(count, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  MPI_Errhandler_free(&handler);
  if (MPI_Allreduce(&value, &sum, -1, MPI_INT, MPI_SUM, MPI_COMM_WORLD) != MPI_ERR_COUNT || calls != 1)
    exit(2);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ABORT);
  MPI_Allreduce(&value, &sum, rank == size - 1 ? -3 : 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
