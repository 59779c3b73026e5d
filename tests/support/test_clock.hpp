// A clock whose time passes where the test says so.
#pragma once

#include <chrono>
#include <cstdint>

namespace foldlane::testing {

struct TestClock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<TestClock>;
  static constexpr bool is_steady = true;
  static time_point now() { return time_point(duration(nanoseconds)); }
  static inline std::int64_t nanoseconds = 0;
};

}  // namespace foldlane::testing
