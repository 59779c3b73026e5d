// The sizes of the shared memory as the tool interface tells them, before, while and after MPI runs.
#include <mpi.h>

#include "support/expect.h"

static unsigned long read_number(const char* name) {
  MPI_T_cvar_handle handle;
  unsigned long value = 0;
  int index = -1, count = 0;
  expect_that(MPI_T_cvar_get_index(name, &index) == MPI_SUCCESS, name);
  expect_that(MPI_T_cvar_handle_alloc(index, NULL, &handle, &count) == MPI_SUCCESS && count == 1, name);
  expect_that(MPI_T_cvar_read(handle, &value) == MPI_SUCCESS, name);
  expect_that(MPI_T_cvar_handle_free(&handle) == MPI_SUCCESS, name);
  return value;
}

static void check_sizes(void) {
  expect_that(read_number("foldlane_slot_bytes") == 256 * 1024, "slot bytes");
  expect_that(read_number("foldlane_slots_per_rank") == 4, "slots per rank");
  expect_that(read_number("foldlane_team_limit") == 32768, "team limit");
}

int main(int argc, char** argv) {
  int provided = -1;
  expect_that(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS, "MPI_T_init_thread");
  check_sizes();
  MPI_Init(&argc, &argv);
  check_sizes();
  MPI_Finalize();
  check_sizes();
  expect_that(MPI_T_finalize() == MPI_SUCCESS, "MPI_T_finalize");
  return 0;
}
