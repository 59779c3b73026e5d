/* Ranks that wait for one that never comes. */
#include <unistd.h>

#include "../check.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  check_sum(MPI_COMM_WORLD);
  if (rank_in(MPI_COMM_WORLD) == 0) {
    puts("waiting");
    fflush(stdout);
  }
  while (rank_in(MPI_COMM_WORLD) == 1) pause();
  check_sum(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
