// What is timed by the CPUs' counter takes as long as by the system's clock (shm/sync/ticks.hpp).
#include "shm/sync/ticks.hpp"

#include <gtest/gtest.h>

namespace foldlane::shm {
namespace {

using std::chrono::milliseconds;
using Clock = Ticks::Clock;

/// A look at the counter, and at the clock before and after it.
struct Look {
  Clock::time_point before = Clock::now();
  std::uint64_t ticks;
  Clock::time_point after;

  explicit Look(const Ticks& clock) : ticks(clock.now()), after(Clock::now()) {}
};

void expect_to_last(const Ticks& clock, milliseconds time) {
  const Look first(clock);
  while (Clock::now() - first.after < time) {
  }
  const Look last(clock);
  const auto took = clock.lasting(first.ticks, last.ticks);
  const auto least = last.before - first.after;
  const auto most = last.after - first.before;
  EXPECT_GE(took, least - least / 100);
  EXPECT_LE(took, most + most / 100);
}

TEST(Ticks, LastAsLongAsByTheClock) {
  const Ticks counter = Ticks::of_this_machine();
  expect_to_last(counter, milliseconds(3));
  expect_to_last(counter, milliseconds(20));  // from here on the length of a tick is kept
  expect_to_last(counter, milliseconds(3));
}

TEST(Ticks, OfTwoCpusThatDisagreeLastNoTime) {
  const Ticks counter = Ticks::of_this_machine();
  const std::uint64_t now = counter.now();
  EXPECT_EQ(counter.lasting(now, now - 1).count(), 0);
  EXPECT_EQ(Ticks().lasting(now, now - 1).count(), 0);
}

TEST(Ticks, AreTheClocksIfNotTold) {
  const Ticks clock;
  expect_to_last(clock, milliseconds(1));
  const std::uint64_t ticks = clock.now();
  EXPECT_LE(ticks, static_cast<std::uint64_t>(Clock::now().time_since_epoch().count()));
}

}  // namespace
}  // namespace foldlane::shm
