// Starts the process of one rank.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <string>
#include <vector>

#include "launch/signal_setup.hpp"
#include "shm/base/unique_fd.hpp"

namespace foldlane::tools {

/// All a rank's process needs, prepared by the launcher: between vfork and exec nothing may be computed.
struct RankStart {
  const char* path;
  char* const* arguments;
  char* const* environment;
  const char* directory;  // nullptr: the launcher's
  int stdin_fd;
  int stdout_fd;
  int stderr_fd;
  int segment_fd;
  int announce_fd;
  const std::vector<int>* os_cpus;  // empty: affinity as it is
  const SignalSetup* signals;
  rlimit open_files;  // the limit the launcher was started with
};

struct StartedRank {
  pid_t pid = -1;
  shm::UniqueFd pidfd;
  int error = 0;          // errno of what failed
  const char* step = "";  // and what that was
};

StartedRank start_rank(const RankStart& start);

/// An affinity mask of any size, as sched_setaffinity takes it.
std::vector<unsigned long> affinity_mask(const std::vector<int>& os_cpus);

}  // namespace foldlane::tools
