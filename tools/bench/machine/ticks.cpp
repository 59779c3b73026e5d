#include "bench/machine/ticks.hpp"

#include <array>

#include "bench/probe/clock.h"
#include "bench/report/statistics.hpp"

namespace foldlane::bench {

Ticks::Ticks(bool counter) : counter_(counter) {
  if (counter_) {
    constexpr std::uint64_t kCompareNs = 50'000'000;
    const std::uint64_t ticks = now(), start = read_clock(0);
    std::uint64_t end = start;
    while (end - start < kCompareNs) end = read_clock(0);
    per_microsecond_ = static_cast<double>(now() - ticks) * 1000 / static_cast<double>(end - start);
  }
  std::array<double, 1001> costs{};
  for (double& cost : costs) {
    const std::uint64_t first = now();
    cost = microseconds(now() - first);
  }
  cost_ = median(costs);
}

std::uint64_t Ticks::now() const { return read_clock(counter_ ? 1 : 0); }

}  // namespace foldlane::bench
