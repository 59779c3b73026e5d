// A clock for what is timed again and again. The CPUs' counter costs 10 ns where the system's clock costs 25,
// and no look at other pages, each of which may be a walk through the page tables after a switch to another
// process.
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
  Clock::duration lasting(std::uint64_t before, std::uint64_t after) const noexcept {
    if (after <= before) return {};  // by the counters of two CPUs
    if (!is_counter_) return Clock::duration(static_cast<Clock::rep>(after - before));
    std::uint64_t picoseconds = picoseconds_.peek();  // per tick: 200 at 5 GHz, so to half a per cent
    if (picoseconds == 0) picoseconds = measure();
    return std::chrono::nanoseconds(static_cast<std::int64_t>((after - before) * picoseconds / 1000));
  }

 private:
  /// At both clocks, `within` so long. Another process may run between them: the best of some.
  struct Look {
    Clock::time_point clock{};
    Clock::duration within{};
    std::uint64_t ticks = 0;
  };
  static constexpr std::uint64_t kAtLeast = 1;  // 0 picoseconds: not known

  Look look() const noexcept;
  /// The length of a tick, from the time since the start. It is kept once the looks at the clocks are exact
  /// to a thousandth of that.
  std::uint64_t measure() const noexcept;

  bool is_counter_ = false;
  Look start_{};
  mutable RealAtoms::Word<std::uint64_t> picoseconds_{};
};

}  // namespace foldlane::shm
