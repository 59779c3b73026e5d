// A clock for what is timed again and again. The CPUs' counter costs 10 ns where the system's clock costs 25,
// and no look at other pages: after a switch to another process each is a walk through the page tables.
#pragma once

#include <chrono>
#include <cstdint>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#include "shm/sync/atoms.hpp"

namespace foldlane::shm {

class Ticks {
 public:
  using Clock = std::chrono::steady_clock;

  /// The system's clock.
  Ticks() = default;
  /// The counter where the system takes its own time from it, so that it is the same on all CPUs; else the
  /// system's clock. The same for all processes of a machine.
  static Ticks of_this_machine();

  std::uint64_t now() const noexcept {
#if defined(__x86_64__)
    if (is_counter_) return __rdtsc();
#elif defined(__aarch64__)
    if (is_counter_) {
      std::uint64_t value = 0;
      asm volatile("mrs %0, cntvct_el0" : "=r"(value));
      return value;
    }
#endif
    return static_cast<std::uint64_t>(Clock::now().time_since_epoch().count());
  }

  /// How long something took that began after this object did. Any thread may ask.
  Clock::duration lasting(std::uint64_t ticks) const noexcept {
    if (!is_counter_) return Clock::duration(static_cast<Clock::rep>(ticks));
    std::uint64_t picoseconds = picoseconds_.peek();  // per tick: 200 at 5 GHz, so to half a per cent
    if (picoseconds == 0) picoseconds = measure();
    return std::chrono::nanoseconds(static_cast<std::int64_t>(ticks * picoseconds / 1000));
  }

 private:
  /// The length of a tick, from the time since the start. It is kept once that is so long that the time
  /// between the looks at the two clocks does not matter, unless another process ran between them.
  std::uint64_t measure() const noexcept;

  bool is_counter_ = false;
  Clock::time_point start_{};
  std::uint64_t first_ = 0;
  mutable RealAtoms::Word<std::uint64_t> picoseconds_{};
};

}  // namespace foldlane::shm
