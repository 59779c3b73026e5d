// What is said about what a program leaves behind when it ends MPI.
#pragma once

namespace foldlane::api {

/// MPI_Finalize, before any communicator goes: one line on stderr about requests that are still active. Such
/// a program is wrong (MPI-5.0, 11.2.2), but has its results.
void report_active_requests();

/// With the check "leaks", once nobody uses MPI any more: what the program has made and not freed.
void report_leaks();

/// The same when the process ends, if a session was not finalized.
void report_leaks_at_exit();

}  // namespace foldlane::api
