// What counters of the tool interface say in this process.
#pragma once

#include <mpi.h>

#include "support/expect.h"

namespace foldlane::tests {

inline unsigned long counted(const char* name) {
  static MPI_T_pvar_session session = MPI_T_PVAR_SESSION_NULL;
  int provided = 0, index = -1, count = 0;
  if (session == MPI_T_PVAR_SESSION_NULL) {
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_T_pvar_session_create(&session);
  }
  MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
  expect_that(MPI_T_pvar_get_index(name, MPI_T_PVAR_CLASS_COUNTER, &index) == MPI_SUCCESS, name);
  MPI_T_pvar_handle_alloc(session, index, nullptr, &handle, &count);
  unsigned long value = 0;
  MPI_T_pvar_read(session, handle, &value);
  MPI_T_pvar_handle_free(session, &handle);
  return value;
}

}  // namespace foldlane::tests
