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

bool is_over_at_once(YieldMemory& memory) { return YieldRung(0, 100, 1, memory).is_over(); }

TEST(YieldMemory, TimesSomeOfAllYieldsHoweverShortTheRungs) {
  YieldMemory memory;
  EXPECT_FALSE(is_over_at_once(memory));
  EXPECT_EQ(timed_of_100(memory), 20);
}

void note_three_slow(YieldMemory& memory, Clock::time_point now) {
  for (int i = 0; i < 3; ++i) memory.note_slow(now);
}

TEST(YieldMemory, SlowYieldsForbidTheNextOnesForAWhile) {
  YieldMemory memory;
  note_three_slow(memory, Clock::now() + 1h);
  EXPECT_TRUE(is_over_at_once(memory));
  memory.note_slow(Clock::now() - 1h);
  EXPECT_FALSE(is_over_at_once(memory));
}

TEST(YieldMemory, OneSlowYieldInNineForbidsNothing) {
  YieldMemory memory;
  for (int i = 0; i < 100; ++i) {
    memory.note_slow(Clock::now() + 1h);
    EXPECT_FALSE(is_over_at_once(memory));
    for (int quick = 0; quick < 8; ++quick) memory.note_quick();
  }
}

TEST(YieldMemory, PausesGetLongerUpToASecond) {
  YieldMemory memory;
  const Clock::time_point then = Clock::now();
  memory.note_slow(then);
  memory.note_slow(then);
  for (const auto pause : {30ms, 60ms, 120ms, 240ms, 480ms, 960ms, 1000ms, 1000ms}) {
    memory.note_slow(then);
    EXPECT_EQ(memory.next_try() - then, pause);
  }
}

TEST(YieldMemory, ManyQuickYieldsMakeItForgetAndFewDoNot) {
  YieldMemory memory;
  for (int tries = 0; tries < 10; ++tries) memory.note_slow(Clock::now() - 1h);
  for (int i = 0; i < 8; ++i) memory.note_quick();
  EXPECT_EQ(timed_of_100(memory), 100);
  memory.note_quick();
  EXPECT_EQ(timed_of_100(memory), 20);
}

TEST(YieldMemory, AfterItHasForgottenPausesAreShortAgain) {
  YieldMemory memory;
  const Clock::time_point then = Clock::now();
  for (int tries = 0; tries < 10; ++tries) memory.note_slow(then);
  for (int i = 0; i < 50; ++i) memory.note_quick();
  note_three_slow(memory, then);
  EXPECT_EQ(memory.next_try() - then, 30ms);
}

TEST(YieldRung, EndsAfterItsYields) {
  YieldMemory memory;
  YieldRung rung(0, 3, 1, memory);
  int yields = 0;
  for (; !rung.is_over() && yields < 4; ++yields) rung.yield();
  EXPECT_LE(yields, 3);  // fewer beside a program that computes
}

TEST(YieldRung, KeepsTheCpuAtFirstAlsoWhereYieldsAreForbidden) {
  YieldMemory memory;
  note_three_slow(memory, Clock::now() + 1h);
  YieldRung rung(3, 100, 1, memory);
  int kept = 0;
  for (; !rung.is_over() && kept < 4; ++kept) rung.yield();
  EXPECT_EQ(kept, 3);
  EXPECT_EQ(timed_of_100(memory), 100);  // no yield was seen to be quick
}

}  // namespace
}  // namespace foldlane::shm
