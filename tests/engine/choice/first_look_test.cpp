#include "engine/choice/first_look.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstddef>

namespace foldlane::engine {
namespace {

/// Each look at it is a nanosecond later.
struct CountingClock {
  using time_point = std::chrono::steady_clock::time_point;
  static inline int looks = 0;
  static time_point now() noexcept { return time_point(std::chrono::nanoseconds(++looks)); }
};

TEST(FirstLook, TakesTheTimeOfAllLinesWhateverIsInThem) {
  constexpr std::size_t kPageBytes = 4096;
  std::array<std::byte, kPageBytes> page;  // no line beyond it is looked at, as address checkers see
  page.fill(std::byte{0xFF});
  EXPECT_EQ(time_of_lines<CountingClock>(page.data()), 1);
  EXPECT_EQ(CountingClock::looks, 2);
}

/// Others are disturbed.
TEST(FirstLook, TheShortestCounts) {
  constexpr double kNear = 280, kFar = 720;  // nanoseconds
  FirstLook near, far;
  EXPECT_FALSE(near.is_far());
  for (const double lines : {kFar, kNear, 10 * kFar, kFar}) near.note(lines);
  for (const double lines : {kFar, 2 * kFar, 10 * kFar, kFar}) far.note(lines);
  EXPECT_TRUE(near.is_over());
  EXPECT_FALSE(near.is_far());
  EXPECT_TRUE(far.is_far());
  far.note(kNear);
  EXPECT_TRUE(far.is_far()) << "it is over";
}

}  // namespace
}  // namespace foldlane::engine
