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

/// As the ranks of a job do that fold large vectors in their turns.
TEST(YieldMemory, TurnsOfRanksGoByWhatThisOneComputesFromWaitToWait) {
  YieldMemory memory;
  const auto turn_after = [&](int waits, Clock::duration computed) {
    for (int i = 0; i < waits; ++i) memory.note_wait();
    return memory.turn_of_ranks(computed);
  };
  EXPECT_EQ(turn_after(10, 400us), 120us);
  EXPECT_EQ(turn_after(6, 800us), 200us);
  EXPECT_EQ(turn_after(100, 900us), YieldMemory::kShortestTurn);
  EXPECT_EQ(turn_after(1, 1s), YieldMemory::kLongestTurn);
  EXPECT_EQ(turn_after(0, 1s), YieldMemory::kShortestTurn);
  EXPECT_EQ(turn_after(1, 1us), YieldMemory::kShortestTurn);  // another thread, which has begun later
}

TEST(YieldRung, NotesEachWaitOnce) {
  YieldMemory memory;
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(YieldRung(0, 1, 1, memory).is_over());
  EXPECT_EQ(memory.turn_of_ranks(500us), 150us);
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
