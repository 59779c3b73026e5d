// The rung of a wait on which it yields its CPU.
#pragma once

#include <sched.h>

#include <chrono>
#include <cstdint>

namespace foldlane::shm {

/// Among ranks that wait for each other a yield takes microseconds. Beside a program that computes it hands
/// over a whole time slice, 3 ms and more: a hundred of them would be most of the second within which a rank
/// must know that a wait is hopeless, which it asks on the next rung. So slow yields end this one.
class YieldRung {
 public:
  explicit YieldRung(std::uint32_t yields) noexcept : left_(yields) {}

  bool is_over() const noexcept { return left_ == 0; }

  void yield() noexcept {
    sched_yield();
    --left_;
    if (left_ % kYieldsPerLook == 0) look();
  }

 private:
  using Clock = std::chrono::steady_clock;
  /// A look at the clock takes 25 ns, a switch to another rank and back 500 ns and more.
  static constexpr std::uint32_t kYieldsPerLook = 5;
  static constexpr Clock::duration kSlow = kYieldsPerLook * std::chrono::milliseconds(1);

  void look() noexcept {
    const Clock::time_point now = Clock::now();
    if (last_look_ != Clock::time_point{} && now - last_look_ > kSlow) left_ = 0;
    last_look_ = now;
  }

  std::uint32_t left_;
  Clock::time_point last_look_{};
};

}  // namespace foldlane::shm
