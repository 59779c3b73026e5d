// The launcher's stdin goes to rank 0. A file or pipe is handed over as it is: rank 0 then takes exactly what
// it reads, and nothing is copied. A terminal cannot be: rank 0 has a process group of its own, which for the
// terminal is a background job and would be stopped on reading; so the launcher reads and feeds a pipe.
#pragma once

#include <string>

#include "shm/base/unique_fd.hpp"
#include "terminal/poller.hpp"

namespace foldlane::tools {

class InputFeed {
 public:
  InputFeed();

  /// The descriptor rank 0 gets as its stdin.
  int rank0_stdin() const noexcept { return pipe_.read_end.open() ? pipe_.read_end.get() : 0; }
  /// Rank 0 has its copy.
  void handed_over() noexcept { pipe_.read_end.reset(); }

  void watch(Poller& poller);
  /// The launcher is in the background and must not read the terminal; a shell's `fg` tells nobody, so this
  /// has to be looked at again now and then.
  bool paused() const noexcept { return paused_; }

 private:
  void read_terminal();
  void feed();

  shm::Pipe pipe_;
  std::string typed_;
  bool paused_ = false;
  bool ended_ = false;  // ^D: the pipe is closed once everything typed is fed
};

}  // namespace foldlane::tools
