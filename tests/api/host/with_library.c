#include "check.h"

void run_in_library(void);

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  run_in_library();
  MPI_Finalize();
  return 0;
}
