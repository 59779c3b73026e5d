#include "engine/choice/run_chooser.hpp"

#include <gtest/gtest.h>

#include <deque>

namespace foldlane::engine {
namespace {

constexpr std::size_t kBytes = 64 << 10;
constexpr int kMessages = 20'000;

/// Two that send each other windows of so many messages. Returns how many of the last half were pulled.
int pulled(std::size_t under_way, double boxes_ns, double pull_ns) {
  Decisions decisions;
  RunChooser way(decisions.of(Decision::message_way));
  std::deque<Arm> sent(under_way, way.wanted());
  int pulled = 0;
  for (int message = 0; message < kMessages; ++message) {
    const Arm taken = sent.front();
    sent.pop_front();
    way.note(kBytes, static_cast<std::uint32_t>(under_way), taken == way.wanted(),
             taken == Arm::second ? pull_ns : boxes_ns);
    sent.push_back(way.wanted());
    if (message >= kMessages / 2 && taken == Arm::second) ++pulled;
  }
  return pulled;
}

TEST(RunChooser, IsTheOneInWhichMessagesComeSoonerAfterEachOther) {
  for (const std::size_t under_way : {1U, 16U, 100U}) {
    EXPECT_GT(pulled(under_way, 2000, 1000), kMessages / 2 * 8 / 10) << under_way;
    EXPECT_LT(pulled(under_way, 1000, 2000), kMessages / 2 * 2 / 10) << under_way;
  }
}

/// While one direction goes one way and the other one the other way, neither is timed.
TEST(RunChooser, IsNotTimedWhereBothWaysAreUsed) {
  Decisions decisions;
  RunChooser way(decisions.of(Decision::message_way));
  for (int message = 0; message < kMessages; ++message) {
    const bool is_as_wanted = message % 2 == 0;
    way.note(kBytes, 1, is_as_wanted, way.wanted() == Arm::second ? 1 : 1e6);
  }
  EXPECT_FALSE(way.has_decided());
}

/// A trial takes ten runs, of two windows each: more than some programs send.
TEST(RunChooser, IsTheLikelyOneForSomeRunsBeforeTheFirstTrial) {
  constexpr int kWindow = 64, kRun = 2 * kWindow;
  Decisions decisions;
  RunChooser way(decisions.of(Decision::message_way));
  way.begin_with(Arm::second);
  int message = 0;
  for (; !way.is_on_trial() && message < kMessages; ++message) {
    EXPECT_EQ(way.wanted(), Arm::second);
    way.note(kBytes, kWindow, true, 0);
  }
  EXPECT_GE(message, 64 * (kRun - 1));
  EXPECT_LT(message, 72 * kRun);
}

/// As where the first window has left before. The pages of what is pulled are new then.
TEST(RunChooser, AFewThatGoOtherwiseDoNotBringTheFirstTrialForward) {
  Decisions decisions;
  RunChooser way(decisions.of(Decision::message_way));
  way.begin_with(Arm::second);
  constexpr int kWindow = 64, kRuns = 4;
  for (int message = 0; message < kWindow; ++message) way.note(kBytes, kWindow, false, 0);
  for (int message = 0; message < kRuns * 2 * kWindow; ++message) way.note(kBytes, kWindow, true, 0);
  EXPECT_FALSE(way.is_on_trial());
}

/// However few others are under way in it: pages are slow to pull until a whole window has been three times.
TEST(RunChooser, TriesOneArmForAsLongAsTheOther) {
  constexpr std::uint32_t kOthers = 31;
  constexpr int kUses = 5;  // of an arm, in a trial
  Decisions decisions;
  RunChooser way(decisions.of(Decision::message_way));
  int pulled = 0;
  for (int message = 0; !way.has_decided() && message < kMessages; ++message) {
    const bool is_pulled = way.wanted() == Arm::second;
    pulled += is_pulled ? 1 : 0;
    way.note(kBytes, is_pulled ? 0 : kOthers, true, 1000);
  }
  EXPECT_GE(pulled, kUses * (2 * static_cast<int>(kOthers) - 1));
}

/// As where the sender always takes back what it has offered.
TEST(RunChooser, ALikelyOneThatNeverComesIsGivenUp) {
  Decisions decisions;
  RunChooser way(decisions.of(Decision::message_way));
  way.begin_with(Arm::second);
  for (int message = 0; message < 2 * kMessages; ++message)
    way.note(kBytes, 64, way.wanted() == Arm::first, 1000);
  EXPECT_EQ(way.wanted(), Arm::first);
}

/// As where a message goes through boxes after all, now and then: most runs of a window are broken off.
TEST(RunChooser, IsTimedThoughSomeGoOtherwise) {
  Decisions decisions;
  RunChooser way(decisions.of(Decision::message_way));
  for (int message = 0; message < kMessages; ++message) {
    const int of_eight = message % 840;  // 100 and one seven times, and then 133
    way.note(kBytes, 64, of_eight >= 707 || of_eight % 101 != 100, 1000);
  }
  EXPECT_TRUE(way.has_decided());
}

/// If all of one way are, it is given up.
TEST(RunChooser, IsNotTriedForEverWhereNoRunEnds) {
  Decisions decisions;
  RunChooser way(decisions.of(Decision::message_way));
  int pulled = 0;
  for (int message = 0; message < kMessages; ++message) {
    const bool is_pulled = way.wanted() == Arm::second;
    way.note(kBytes, 64, !is_pulled || message % 64 != 0, 1000);
    if (is_pulled) ++pulled;
  }
  EXPECT_GT(pulled, 0);
  EXPECT_LT(pulled, kMessages / 2);
}

}  // namespace
}  // namespace foldlane::engine
