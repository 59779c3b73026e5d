// The rung of a wait on which it yields its CPU.
#pragma once

#include <sched.h>

#include <chrono>
#include <cstdint>

namespace foldlane::shm {

/// Among ranks that wait for each other a yield takes microseconds. Beside programs that compute it hands
/// over the time slice of each of them, 3 ms and more: the 100 or 200 yields of a ladder would be most of the
/// second within which a rank must know that a wait is hopeless, which it asks on the next rung. So a slow
/// yield ends this one.
class YieldRung {
 public:
  explicit YieldRung(std::uint32_t yields) noexcept : left_(yields) {}

  bool is_over() const noexcept { return left_ == 0; }

  void yield() noexcept {
    --left_;
    if (left_ % kYieldsPerLook != 0) {
      sched_yield();
    } else if (is_slow()) {
      left_ = 0;
    }
  }

 private:
  using Clock = std::chrono::steady_clock;
  /// Two looks at the clock take 50 ns, a switch to another rank and back 500 ns and more.
  static constexpr std::uint32_t kYieldsPerLook = 5;
  /// Hundreds of ranks can have their turns meanwhile.
  static constexpr Clock::duration kSlow = std::chrono::milliseconds(1);

  static bool is_slow() noexcept {
    const Clock::time_point before = Clock::now();
    sched_yield();
    return Clock::now() - before > kSlow;
  }

  std::uint32_t left_;
};

}  // namespace foldlane::shm
