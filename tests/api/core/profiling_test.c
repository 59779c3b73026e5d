/* A tool that defines MPI_X itself and calls PMPI_X sees the calls of the program, and the
 * library still works. */
#include <mpi.h>
#include <stdio.h>

static int calls = 0;

int MPI_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                  MPI_Comm comm) {
  ++calls;
  return PMPI_Allreduce(sendbuf, recvbuf, count, datatype, op, comm);
}

int main(void) {
  int value = 5, sum = 0;
  MPI_Init(NULL, NULL);
  MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  if (calls == 1 && sum == 5) return 0;
  fprintf(stderr, "the tool saw %d calls, the sum is %d\n", calls, sum);
  return 1;
}
