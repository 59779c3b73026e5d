/* An MPI program whose calls are in a library: the addresses of Open MPI's objects are others than in an
 * executable. */
#include "check.h"

void run_in_library(void) {
  for (int i = 0; i < 6; ++i) check_sum(MPI_COMM_WORLD);
}
