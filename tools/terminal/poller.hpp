// One wait for many descriptors: each is watched together with what to do when it is ready.
#pragma once

#include <poll.h>

#include <functional>
#include <vector>

namespace foldlane::tools {

class Poller {
 public:
  void clear();
  void watch(int fd, short events, std::function<void()> action);

  /// Waits until something is ready or `timeout_ms` is over (-1: never), then runs the actions of what is
  /// ready. Hang-up and error count as ready: the action's own system call then tells what is the matter.
  void wait(int timeout_ms);

 private:
  std::vector<pollfd> polled_;
  std::vector<std::function<void()>> actions_;
};

}  // namespace foldlane::tools
