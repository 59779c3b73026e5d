// Names the programs of this process that hang, and the one with a call that fails.
#pragma once

#include <mpi.h>

#include <cstdint>

namespace foldlane::matching {

inline constexpr int kMostThreads = 8;

/// From here on this thread, with a number of its own, runs this program, until the next one begins.
void watch(int thread, const char* kind, std::uint64_t seed);
/// It has none left.
void end_watch(int thread);

/// A call that fails ends the job, on this communicator and on those that will be made of it.
void end_job_when_calls_fail(MPI_Comm comm);

}  // namespace foldlane::matching
