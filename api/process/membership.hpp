// The membership of this process in its job, which MPI_Init … MPI_Finalize and every session need: it begins
// with the first of them and ends with the last.
#pragma once

namespace foldlane::api {

/// One more needs the job. Does not wait for other ranks. With `threads`, several threads may be in calls at
/// a time; always so when a session needs the job, since the threads of two sessions do not know of each
/// other. Throws what joining fails with, and MPI_ERR_OTHER if another thread may be in a call now, while
/// that was excluded until here.
void join_job(bool threads);

/// One less. The last one's communicators go, and the process may end; a session may still join again.
void leave_job();

}  // namespace foldlane::api
