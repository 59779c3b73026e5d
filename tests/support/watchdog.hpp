// Ends a hanging test, and says who waits for whom.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace foldlane::testing {

/// Calls `report` and aborts the process if it lives longer than `seconds`.
class Watchdog {
 public:
  Watchdog(int seconds, std::function<void()> report);
  ~Watchdog();

 private:
  std::mutex mutex_;
  std::condition_variable over_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace foldlane::testing
