/* One rank ends without a word; the others, whose errors return, are told with the class for it. */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
  int rank, value = 1, sum = 0, result = MPI_SUCCESS;
  char text[MPI_MAX_ERROR_STRING];
  int length;
  MPI_Init(NULL, NULL);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) _exit(7);
  while (result == MPI_SUCCESS) result = MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Error_string(result, text, &length);
  printf("class %d: %s\n", result, text);
  fflush(stdout);
  return result == MPI_ERR_PROC_ABORTED ? 0 : 1;
}
