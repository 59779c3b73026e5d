#include "support/watchdog.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace foldlane::testing {

Watchdog::Watchdog(int seconds, std::function<void()> report)
    : thread_([this, seconds, report = std::move(report)] {
        std::unique_lock lock(mutex_);
        if (over_.wait_for(lock, std::chrono::seconds(seconds), [this] { return done_; })) return;
        std::fprintf(stderr, "watchdog: no end after %d s\n", seconds);
        report();
        std::abort();
      }) {}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  over_.notify_all();
  thread_.join();
}

}  // namespace foldlane::testing
