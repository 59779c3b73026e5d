#include "bench/present/ticks.hpp"

#include <time.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#include <array>
#include <chrono>

#include "bench/report/statistics.hpp"

namespace foldlane::bench {
namespace {

std::uint64_t system_ns() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(time.tv_nsec);
}

}  // namespace

Ticks::Ticks(bool counter) : counter_(counter) {
  if (counter_) {
    constexpr std::uint64_t kCompareNs = 50'000'000;
    const std::uint64_t ticks = now(), start = system_ns();
    std::uint64_t end = start;
    while (end - start < kCompareNs) end = system_ns();
    per_microsecond_ = static_cast<double>(now() - ticks) * 1000 / static_cast<double>(end - start);
  }
  std::array<double, 1001> costs{};
  for (double& cost : costs) {
    const std::uint64_t first = now();
    cost = microseconds(now() - first);
  }
  cost_ = median(costs);
}

std::uint64_t Ticks::now() const {
#if defined(__x86_64__)
  unsigned core = 0;
  if (counter_) return __rdtscp(&core);
#elif defined(__aarch64__)
  if (counter_) {
    std::uint64_t value = 0;
    asm volatile("isb; mrs %0, cntvct_el0" : "=r"(value));
    return value;
  }
#endif
  return system_ns();
}

}  // namespace foldlane::bench
