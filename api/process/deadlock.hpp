// Deadlocks in the words of MPI, and what becomes of them.
#pragma once

namespace foldlane::api {

/// Once this process has joined its job.
void watch_for_deadlocks();

}  // namespace foldlane::api
