// What the end of a rank's process means for the job: a pure decision over how it ended and what it had told
// the segment.
#pragma once

#include <string>

#include "shm/job/job.hpp"

namespace foldlane::tools {

/// How a process ended.
struct ProcessEnd {
  bool by_signal;
  int value;  // signal number or exit code
};

struct Verdict {
  bool failed = false;
  bool ends_job = false;  // false after MPI_Finalize: the others are about to end by themselves
  int exit_code = 0;      // of the launcher, if this is the first failure
  int weight = 0;         // which of several simultaneous failures is the cause of the others; larger wins
  shm::Failure failure{};
  std::string what;  // "was killed by signal 9 (Killed)"
};

/// `others_joined`: another rank is a member of the job, so that a rank that never joined is missed by it.
Verdict judge(int rank, const ProcessEnd& end, const shm::RankReport& report, bool others_joined);

}  // namespace foldlane::tools
