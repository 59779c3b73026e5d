// The process that has started this rank, to be seen when it ends: nobody ends the ranks of a launcher that
// is killed.
#pragma once

#include "engine/identity/launchers.hpp"
#include "shm/base/unique_fd.hpp"

namespace foldlane::engine {

class LauncherProcess {
 public:
  /// Null: nobody's, which never ends. Nor is the end seen of one that may leave its ranks, or is not visible
  /// from here.
  explicit LauncherProcess(const Launcher* launcher);
  bool has_ended() const noexcept;

 private:
  shm::UniqueFd pidfd_;
  bool had_ended_ = false;  // when it was looked for
};

}  // namespace foldlane::engine
