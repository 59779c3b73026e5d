// The launcher's signals: taken from a descriptor instead of handlers, and restored for the ranks.
#pragma once

#include <signal.h>

#include <optional>

#include "shm/base/unique_fd.hpp"

namespace foldlane::tools {

class SignalSetup {
 public:
  /// Blocks what the launcher handles. A signal that is ignored on entry (nohup, background jobs of scripts)
  /// stays ignored, for launcher and ranks.
  SignalSetup();

  int fd() const noexcept { return fd_.get(); }
  std::optional<int> next() const;

  /// For a rank, before exec: the mask and dispositions the launcher was started with. Async-signal-safe.
  void restore() const noexcept;

 private:
  shm::UniqueFd fd_;
  sigset_t original_mask_{};
  struct sigaction original_pipe_ {};
};

/// True for the signals that ask a job to end.
bool ends_job(int signal) noexcept;

}  // namespace foldlane::tools
