// When polls for the last peer pay (shm/sync/near_polls.hpp).
#include "shm/sync/near_polls.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace foldlane::shm {
namespace {

using namespace std::chrono_literals;

/// Whether it polled at all.
bool polls_in_vain(NearPolls& polls) {
  int looks = 0;
  EXPECT_FALSE(polls.poll([&] { return ++looks < 0; }, Ticks(), 1ns));
  return looks > 0;
}
void find_at_once(NearPolls& polls) {
  EXPECT_TRUE(polls.poll([] { return true; }, Ticks(), 1h));
}
int vain_of_100(NearPolls& polls) {
  int vain = 0;
  for (int i = 0; i < 100; ++i) vain += polls_in_vain(polls) ? 1 : 0;
  return vain;
}

TEST(NearPolls, FindWhatArrivesMeanwhile) {
  NearPolls polls;
  int looks = 0;
  EXPECT_TRUE(polls.poll([&] { return ++looks == 1'000; }, Ticks(), 1h));
  EXPECT_EQ(looks, 1'000);
}

TEST(NearPolls, LastForTheirTimeAndEnd) {
  NearPolls polls;
  const auto before = Ticks::Clock::now();
  EXPECT_FALSE(polls.poll([] { return false; }, Ticks(), 1us));
  EXPECT_GE(Ticks::Clock::now() - before, 1us);
}

TEST(NearPolls, EndAlsoWhereNoTimePasses) {
  NearPolls polls;
  EXPECT_FALSE(polls.poll([] { return false; }, Ticks(), 1h));
}

TEST(NearPolls, InVainAreTriedOnlyNowAndThen) {
  NearPolls polls;
  EXPECT_TRUE(polls_in_vain(polls));
  EXPECT_FALSE(polls_in_vain(polls));
  const int vain = vain_of_100(polls);
  EXPECT_GE(vain, 1);
  EXPECT_LE(vain, 5);
}

TEST(NearPolls, OneOfThreeThatFindsItIsEnough) {
  NearPolls polls;
  for (int i = 0; i < 100; ++i) {
    find_at_once(polls);
    EXPECT_TRUE(polls_in_vain(polls));
    EXPECT_TRUE(polls_in_vain(polls));
  }
}

TEST(NearPolls, ThatHaveFoundMuchAreGivenUpSoonAllTheSame) {
  NearPolls polls;
  for (int i = 0; i < 1'000; ++i) find_at_once(polls);
  EXPECT_LE(vain_of_100(polls), 15);
}

TEST(NearPolls, ComeBackOnceTheyFindSomething) {
  NearPolls polls;
  vain_of_100(polls);
  int waits = 0;
  for (int found = 0; found < 4; ++waits) found += polls.poll([] { return true; }, Ticks(), 1h) ? 1 : 0;
  EXPECT_LE(waits, 200);
  for (int i = 0; i < 10; ++i) find_at_once(polls);
}

}  // namespace
}  // namespace foldlane::shm
