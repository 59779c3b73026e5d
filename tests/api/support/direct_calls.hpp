// Programs of the MPI interface that check which calls went straight from buffer to buffer.
#pragma once

#include <mpi.h>

#include "support/expect.h"

namespace foldlane::tests {

inline unsigned long direct_calls() {
  static MPI_T_pvar_session session = MPI_T_PVAR_SESSION_NULL;
  static MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
  if (session == MPI_T_PVAR_SESSION_NULL) {
    int provided = 0, index = 0, count = 0;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_T_pvar_session_create(&session);
    MPI_T_pvar_get_index("foldlane_direct_calls", MPI_T_PVAR_CLASS_COUNTER, &index);
    MPI_T_pvar_handle_alloc(session, index, nullptr, &handle, &count);
  }
  unsigned long value = 0;
  MPI_T_pvar_read(session, handle, &value);
  return value;
}

/// `call` is (or is not) direct on this rank.
template <class Call>
void expect_direct(const Call& call, bool direct, const char* what) {
  const unsigned long before = direct_calls();
  call();
  expect_that(direct_calls() - before == (direct ? 1 : 0), what);
}

}  // namespace foldlane::tests
