// Ctrl-C and termination end a run at the next wait, so that nothing of it is left.
#pragma once

namespace foldlane::bench {

struct Interrupted {
  int signal;
};

/// While it lives, SIGINT, SIGTERM and SIGHUP are noted instead of ending the process.
class InterruptWatch {
 public:
  InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;
  ~InterruptWatch();
};

/// Throws Interrupted if a signal was noted.
void throw_if_interrupted();

}  // namespace foldlane::bench
