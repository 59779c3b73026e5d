/* Where calls among neighbours take place: all ranks in their order, the last beside the first. */
#include <string.h>

#include "probe.h"

MPI_Comm ring = MPI_COMM_NULL;

static int goes_by_topology(void) {
  static const char prefix[] = "neighbor_";
  return strncmp(now.what->name, prefix, sizeof prefix - 1) == 0;
}

/* Not before a case needs it: a communicator more is not what other cases are measured with. */
void provide_ring(void) {
  const int periodic = 1;
  if (ring != MPI_COMM_NULL || !goes_by_topology()) return;
  must(MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &periodic, 0, &ring));
  must(MPI_Comm_set_errhandler(ring, MPI_ERRORS_RETURN));
}

void free_ring(void) {
  if (ring != MPI_COMM_NULL) must(MPI_Comm_free(&ring));
}
