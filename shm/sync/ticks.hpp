// The clock of the statistics. It is read twice in every call, and the CPUs' counter costs 10 ns where the
// system's clock costs 25.
#pragma once

#include <chrono>
#include <cstdint>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace foldlane::engine {

class Ticks {
 public:
  /// The counter where the system takes its own time from it, so that it is the same on all CPUs; else the
  /// system's clock. The same for all processes of a machine.
  Ticks();

  std::uint64_t now() const noexcept {
#if defined(__x86_64__)
    if (counter_) return __rdtsc();
#elif defined(__aarch64__)
    if (counter_) {
      std::uint64_t value = 0;
      asm volatile("mrs %0, cntvct_el0" : "=r"(value));
      return value;
    }
#endif
    return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
  }

 private:
  bool counter_;
};

}  // namespace foldlane::engine
