// A small process beside the launcher that ends the job's processes should the launcher be killed. The death
// signal each rank asks for covers the rank itself only; the guardian also reaches what a rank has started in
// its process group, and ends the waits of ranks that have left it.
#pragma once

#include <sys/types.h>

#include <vector>

#include "shm/base/unique_fd.hpp"
#include "shm/job/job.hpp"

namespace foldlane::tools {

class Guardian {
 public:
  explicit Guardian(shm::JobMonitor monitor);
  ~Guardian();
  Guardian(const Guardian&) = delete;
  Guardian& operator=(const Guardian&) = delete;

  /// A rank writes its pid here before exec (announce), so that no rank is ever unknown to the guardian.
  int announce_fd() const noexcept { return life_.get(); }
  static void announce(int announce_fd, pid_t pid) noexcept;

  /// Readable once the guardian itself has ended.
  int pidfd() const noexcept { return pidfd_.get(); }
  /// -1 if it could not be started; errno says why.
  pid_t pid() const noexcept { return pid_; }
  /// Starts another one in its place.
  void replace(const std::vector<pid_t>& groups);

  /// The job is over and cleaned up: nothing to kill any more.
  void dismiss() noexcept;

 private:
  void start(const std::vector<pid_t>& groups);

  shm::JobMonitor monitor_;
  shm::UniqueFd life_;
  shm::UniqueFd pidfd_;
  pid_t pid_ = -1;
};

}  // namespace foldlane::tools
