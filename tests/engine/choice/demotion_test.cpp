#include "engine/choice/demotion.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

#include "support/test_clock.hpp"

namespace foldlane::engine {
namespace {

using Clock = foldlane::testing::TestClock;

constexpr std::size_t kBytes = 64;
constexpr std::int64_t kFast = 100, kSlow = 300;

/// A sender and a receiver, who find each message in what its lines cost if they were kept, or demoted.
class Lane {
 public:
  explicit Lane(const ForcedArms& forced = {}) : decisions_(forced) {}

  std::uint64_t trials() const {
    const auto& kept = decisions_.of(Decision::message_lines).kept;
    return kept[0].peek() + kept[1].peek();
  }
  /// Returns how many of so many messages were demoted.
  int pass(int messages, std::size_t bytes, std::int64_t kept_ns, std::int64_t demoted_ns) {
    int demoted = 0;
    for (int message = 0; message < messages; ++message) {
      const bool is_demoted = sent_.are_demoted(bytes, WantedLines(word_.peek()));
      received_.receive(bytes, word_, [&] { Clock::nanoseconds += is_demoted ? demoted_ns : kept_ns; });
      demoted += is_demoted ? 1 : 0;
    }
    return demoted;
  }

 private:
  Decisions decisions_;
  SentLines sent_{decisions_};
  ReceivedLines<Clock> received_{decisions_};
  shm::RealAtoms::Word<std::uint32_t> word_{};
};

TEST(Demotion, GoesByWhatTheReceiverFindsQuicker) {
  Lane lane;
  lane.pass(500, kBytes, kSlow, kFast);
  EXPECT_GT(lane.pass(1'000, kBytes, kSlow, kFast), 900);
  lane.pass(20'000, kBytes, kFast, kSlow);  // the cores have moved
  EXPECT_LT(lane.pass(1'000, kBytes, kFast, kSlow), 100);
}

/// What demoting costs the sender is not timed.
TEST(Demotion, MustGainATenth) {
  Lane little, enough;
  little.pass(500, kBytes, 105, 100);
  enough.pass(500, kBytes, 120, 100);
  EXPECT_LT(little.pass(1'000, kBytes, 105, 100), 100);
  EXPECT_GT(enough.pass(1'000, kBytes, 120, 100), 900);
}

TEST(Demotion, WhatIsWorseCostsLessThanAHundredth) {
  Lane lane;
  lane.pass(20'000, kBytes, kFast, kSlow);
  EXPECT_LT(lane.pass(20'000, kBytes, kFast, kSlow), 100);
}

TEST(Demotion, EachClassOfSizesHasItsOwn) {
  Lane lane;
  for (int round = 0; round < 1'000; ++round) {
    lane.pass(1, 64, kSlow, kFast);
    lane.pass(1, 200, kFast, kSlow);
    lane.pass(1, 300, kSlow, kFast);
    lane.pass(1, 1024, kFast, kSlow);
  }
  EXPECT_GT(lane.pass(100, 127, kSlow, kFast), 50);
  EXPECT_LT(lane.pass(100, 128, kFast, kSlow), 50);
  EXPECT_GT(lane.pass(100, 511, kSlow, kFast), 50);
  EXPECT_LT(lane.pass(100, 512, kFast, kSlow), 50);
}

TEST(Demotion, ForcedArmsAreNotTimed) {
  for (const Arm arm : {Arm::first, Arm::second}) {
    ForcedArms forced;
    forced[static_cast<std::size_t>(Decision::message_lines)] = arm;
    Lane lane(forced);
    EXPECT_EQ(lane.pass(500, kBytes, kSlow, kFast), arm == Arm::second ? 500 : 0);
    EXPECT_EQ(lane.pass(500, kBytes, kFast, kSlow), arm == Arm::second ? 500 : 0);
    EXPECT_EQ(lane.trials(), 0U);
  }
}

TEST(Demotion, OnlyOfShortMessagesBesideTheirMark) {
  EXPECT_FALSE(may_be_demoted(32));
  EXPECT_TRUE(may_be_demoted(33));
  EXPECT_TRUE(may_be_demoted(1024));
  EXPECT_FALSE(may_be_demoted(1025));
}

}  // namespace
}  // namespace foldlane::engine
