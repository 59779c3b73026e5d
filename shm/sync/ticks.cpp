#include "shm/sync/ticks.hpp"

#include <algorithm>
#include <fstream>
#include <string>

namespace foldlane::shm {

Ticks Ticks::of_this_machine() {
  std::ifstream file("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  std::string source;
  file >> source;
  Ticks ticks;
  ticks.is_counter_ = source == "tsc" || source == "arch_sys_counter";
  ticks.start_ = ticks.look();
  return ticks;
}

Ticks::Look Ticks::look() const noexcept {
  constexpr int kTries = 100;
  constexpr std::chrono::microseconds kQuick(5);
  Look best{};
  for (int i = 0; i < kTries; ++i) {
    const Clock::time_point before = Clock::now();
    const std::uint64_t ticks = now();
    const Clock::time_point after = Clock::now();
    if (i == 0 || after - before < best.within) best = {before, after - before, ticks};
    if (best.within < kQuick) break;
  }
  return best;
}

std::uint64_t Ticks::measure() const noexcept {
  constexpr std::chrono::milliseconds kLongEnough(10);
  const Look last = look();
  if (last.ticks <= start_.ticks) return kAtLeast;  // the counter has begun anew
  const auto passed = std::chrono::duration_cast<std::chrono::nanoseconds>(last.clock - start_.clock);
  const std::uint64_t picoseconds =
      std::max(kAtLeast, static_cast<std::uint64_t>(passed.count()) * 1000 / (last.ticks - start_.ticks));
  const bool is_exact = passed >= 1000 * std::max(start_.within, last.within);
  if (passed >= kLongEnough && is_exact) picoseconds_.publish(picoseconds);
  return picoseconds;
}

}  // namespace foldlane::shm
