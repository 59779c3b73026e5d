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
  ticks.start_ = Clock::now();
  ticks.first_ = ticks.now();
  return ticks;
}

std::uint64_t Ticks::measure() const noexcept {
  constexpr std::chrono::milliseconds kLongEnough(10);
  const std::uint64_t before = now();
  const auto passed = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start_);
  const std::uint64_t after = now();
  const std::uint64_t ticks = std::max<std::uint64_t>(1, before - first_);
  const std::uint64_t picoseconds = static_cast<std::uint64_t>(passed.count()) * 1000 / ticks;
  const bool was_interrupted = after - before > ticks / 1000;
  if (passed >= kLongEnough && !was_interrupted) picoseconds_.publish(picoseconds);
  return picoseconds;
}

}  // namespace foldlane::shm
