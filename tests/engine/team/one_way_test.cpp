#include "engine/team/one_way.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/team/team_lines.hpp"
#include "shm/sync/atoms.hpp"
#include "support/test_clock.hpp"

namespace foldlane::engine {
namespace {

using Clock = foldlane::testing::TestClock;

struct Costs {
  std::int64_t put_into_dirty, put_into_clean, dirty;
};

constexpr std::size_t kBytes = 64 << 10;
/// Of boxes, the longest ring: every other time around they are with the other member.
constexpr std::size_t kBoxes = 2 * std::size_t{kSlots};
/// Of blocks of messages: as many as a lane has cells, and the half of them that comes back at once.
constexpr std::size_t kBlocks = 32 + 16;

/// Sends from one member to the other by a ring of places on a machine with such costs.
class Flow {
 public:
  Flow() : Flow(ForcedArms{}) {}
  explicit Flow(const ForcedArms& forced, Decision decision = Decision::hand_back,
                std::size_t places = kBoxes)
      : decisions_(forced),
        sender_(decisions_, decision),
        receiver_(decisions_, decision),
        dirty_(places),
        took_(places) {}

  /// Returns how many places went back dirty.
  int send(int places, std::size_t call_bytes, const Costs& costs) {
    int dirtied = 0;
    for (int i = 0; i < places; ++i) {
      const std::size_t place = next_++ % dirty_.size();
      std::uint32_t& took = took_[place];
      sender_.send(call_bytes, took, [&] {
        Clock::nanoseconds += dirty_[place] ? costs.put_into_dirty : costs.put_into_clean;
      });
      dirty_[place] = false;
      receiver_.receive(
          call_bytes, call_bytes, took, [] { Clock::nanoseconds += 100; },
          [&] {
            dirty_[place] = true;
            ++dirtied;
            Clock::nanoseconds += costs.dirty;
          });
    }
    return dirtied;
  }

 private:
  Decisions decisions_;
  BasicOneWay<shm::RealAtoms, Clock> sender_, receiver_;
  std::vector<bool> dirty_;
  std::vector<std::uint32_t> took_;
  std::size_t next_ = 0;
};

constexpr Costs kNear{100, 110, 50};
constexpr Costs kFar{200, 1000, 100};

TEST(OneWay, PlacesStayCleanWhereTheSenderDoesNotMind) {
  Flow flow;
  flow.send(20'000, kBytes, kNear);
  EXPECT_LT(flow.send(20'000, kBytes, kNear), 20'000 / 100);
}

TEST(OneWay, PlacesAreDirtiedWhereTheSenderGainsMoreThanThatCosts) {
  Flow flow;
  flow.send(20'000, kBytes, kFar);
  EXPECT_GT(flow.send(20'000, kBytes, kFar), 20'000 - 20'000 / 100);
}

TEST(OneWay, FollowsAMove) {
  Flow flow;
  flow.send(50'000, kBytes, kFar);
  flow.send(20'000, kBytes, kNear);
  EXPECT_LT(flow.send(1000, kBytes, kNear), 100);
  flow.send(20'000, kBytes, kFar);
  EXPECT_GT(flow.send(1000, kBytes, kFar), 900);
}

TEST(OneWay, SmallPlacesAreAlwaysDirtied) {
  Flow flow;
  const std::size_t small = row_of(Decision::hand_back).from_bytes - 1;
  EXPECT_EQ(flow.send(10'000, small, kNear), 10'000);
}

TEST(OneWay, EachSizeOfCallsLearnsForItself) {
  Flow flow;
  flow.send(20'000, kBytes, kNear);
  flow.send(20'000, 4 * kBytes, kFar);
  EXPECT_LT(flow.send(1000, kBytes, kNear), 100);
  EXPECT_GT(flow.send(1000, 4 * kBytes, kFar), 900);
}

/// With the trials of "hand-back" blocks stay dirty here: of each arm they would time what the other one
/// left.
TEST(OneWay, TrialsOfBlocksLastUntilAllHaveComeBack) {
  Flow flow({}, Decision::message_blocks, kBlocks);
  flow.send(20'000, kBytes, kNear);
  EXPECT_LT(flow.send(20'000, kBytes, kNear), 20'000 / 50);
  flow.send(20'000, kBytes, kFar);
  EXPECT_GT(flow.send(20'000, kBytes, kFar), 20'000 - 20'000 / 50);
}

TEST(OneWay, BothArmsCanBeForced) {
  for (const Arm arm : {Arm::first, Arm::second}) {
    ForcedArms forced;
    forced[static_cast<std::size_t>(Decision::hand_back)] = arm;
    Flow flow(forced);
    EXPECT_EQ(flow.send(10'000, kBytes, kNear), arm == Arm::first ? 10'000 : 0);
  }
}

}  // namespace
}  // namespace foldlane::engine
