// What waits remember of slow yields (shm/sync/yield_rung.hpp).
#include "shm/sync/yield_rung.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace foldlane::shm {
namespace {

using Clock = YieldMemory::Clock;
using namespace std::chrono_literals;

/// How many of the next 100 yields are to be timed.
int timed_of_100(YieldMemory& memory) {
  int timed = 0;
  for (int i = 0; i < 100; ++i) timed += memory.wants_time() ? 1 : 0;
  return timed;
}

bool is_over_at_once(YieldMemory& memory) { return YieldRung(100, memory).is_over(); }

TEST(YieldMemory, TimesSomeOfAllYieldsHoweverShortTheRungs) {
  YieldMemory memory;
  EXPECT_FALSE(is_over_at_once(memory));
  EXPECT_EQ(timed_of_100(memory), 20);
}

TEST(YieldMemory, ASlowYieldForbidsTheNextOnesForAWhile) {
  YieldMemory memory;
  memory.note_slow(Clock::now() + 1h);
  EXPECT_TRUE(is_over_at_once(memory));
  memory.note_slow(Clock::now() - 1h);
  EXPECT_FALSE(is_over_at_once(memory));
}

TEST(YieldMemory, PausesGetLongerUpToASecond) {
  YieldMemory memory;
  const Clock::time_point then = Clock::now();
  for (const auto pause : {30ms, 60ms, 120ms, 240ms, 480ms, 960ms, 1000ms, 1000ms}) {
    memory.note_slow(then);
    EXPECT_EQ(memory.next_try() - then, pause);
  }
}

TEST(YieldMemory, ManyQuickYieldsMakeItForgetAndFewDoNot) {
  YieldMemory memory;
  memory.note_slow(Clock::now() - 1h);
  for (int i = 0; i < 49; ++i) memory.note_quick();
  EXPECT_EQ(timed_of_100(memory), 100);
  memory.note_quick();
  EXPECT_EQ(timed_of_100(memory), 20);
}

TEST(YieldMemory, AfterItHasForgottenPausesAreShortAgain) {
  YieldMemory memory;
  const Clock::time_point then = Clock::now();
  for (int tries = 0; tries < 10; ++tries) memory.note_slow(then);
  for (int i = 0; i < 50; ++i) memory.note_quick();
  memory.note_slow(then);
  EXPECT_EQ(memory.next_try() - then, 30ms);
}

TEST(YieldRung, EndsAfterItsYields) {
  YieldMemory memory;
  YieldRung rung(3, memory);
  int yields = 0;
  for (; !rung.is_over() && yields < 4; ++yields) rung.yield();
  EXPECT_LE(yields, 3);  // fewer beside a program that computes
}

}  // namespace
}  // namespace foldlane::shm
