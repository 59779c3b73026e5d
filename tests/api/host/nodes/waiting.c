/* Ranks that wait for one that never comes; with an argument each waits for the others, again and again. */
#include <unistd.h>

#include "../check.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  check_sum(MPI_COMM_WORLD);
  if (rank_in(MPI_COMM_WORLD) == 0) {
    puts("waiting");
    fflush(stdout);
  }
  while (argc > 1) check_sum(MPI_COMM_WORLD);
  while (rank_in(MPI_COMM_WORLD) == 1) pause();
  check_sum(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
