#include "engine/choice/mutual_choices.hpp"

#include <gtest/gtest.h>

#include <deque>

#include "engine/p2p/outflows.hpp"
#include "engine/p2p/partner.hpp"

namespace foldlane::engine {
namespace {

constexpr std::size_t kBytes = 64 << 10;
constexpr int kMessages = 20'000;

/// Two that send each other windows of so many messages. Returns how many of the last half were pulled.
int pulled(std::size_t under_way, double boxes_ns, double pull_ns) {
  Decisions decisions;
  MutualWay way(decisions.of(Decision::message_way));
  std::deque<Arm> sent(under_way, way.wanted());
  int pulled = 0;
  for (int message = 0; message < kMessages; ++message) {
    const Arm taken = sent.front();
    sent.pop_front();
    way.note(kBytes, taken == way.wanted(), taken == Arm::second ? pull_ns : boxes_ns);
    sent.push_back(way.wanted());
    if (message >= kMessages / 2 && taken == Arm::second) ++pulled;
  }
  return pulled;
}

TEST(MutualWay, IsTheOneInWhichMessagesComeSoonerAfterEachOther) {
  for (const std::size_t under_way : {1U, 16U, 100U}) {
    EXPECT_GT(pulled(under_way, 2000, 1000), kMessages / 2 * 8 / 10) << under_way;
    EXPECT_LT(pulled(under_way, 1000, 2000), kMessages / 2 * 2 / 10) << under_way;
  }
}

/// While one direction goes one way and the other one the other way, neither is timed.
TEST(MutualWay, IsNotTimedWhereBothWaysAreUsed) {
  Decisions decisions;
  MutualWay way(decisions.of(Decision::message_way));
  for (int message = 0; message < kMessages; ++message) {
    const bool is_as_wanted = message % 2 == 0;
    way.note(kBytes, is_as_wanted, way.wanted() == Arm::second ? 1 : 1e6);
  }
  EXPECT_FALSE(way.has_decided());
}

class BothDirections : public testing::Test {
 protected:
  std::optional<MutualChoices::Agreed> end(MutualChoices& choices, const SentMeanwhile& meanwhile) {
    return choices.end(kBytes, false, Arm::first, choices.begin(), meanwhile);
  }

  Decisions decisions_;
  const SentMeanwhile kNothing{}, kBoxes{.in_boxes = true, .pulled = false, .since = SentMeanwhile::kNever};
};

TEST_F(BothDirections, GoAsTheLowerRankDecidesWhereBothSend) {
  MutualChoices choices(decisions_, true);
  EXPECT_FALSE(end(choices, kNothing).has_value());
  EXPECT_FALSE(choices.are_usual());
  EXPECT_TRUE(end(choices, kBoxes).has_value());
  EXPECT_TRUE(choices.are_usual());
  EXPECT_FALSE(end(choices, kNothing).has_value());
  EXPECT_FALSE(choices.are_usual());
}

TEST_F(BothDirections, AreNotForTheHigherRankToDecide) {
  MutualChoices choices(decisions_, false);
  EXPECT_FALSE(end(choices, kBoxes).has_value());
  EXPECT_FALSE(choices.are_usual());
}

TEST(Partner, IsSentToAsAgreedBySizeAndSource) {
  Partner partner;
  EXPECT_FALSE(partner.agreed(true, kBytes).has_value());
  partner.agree(true, kBytes, {Arm::second, false});
  EXPECT_EQ(partner.agreed(true, kBytes), Arm::second);
  EXPECT_FALSE(partner.agreed(false, kBytes).has_value());
  EXPECT_FALSE(partner.agreed(true, 8 * kBytes).has_value());
  partner.agree(true, kBytes, {Arm::first, false});
  EXPECT_EQ(partner.agreed(true, kBytes), Arm::first);
}

TEST(Partner, IsSentToAsItWantsIfItHasNotSentForLong) {
  Partner partner;
  partner.agree(true, kBytes, {Arm::second, false});
  int agreed = 0;
  while (partner.agreed(true, kBytes)) ASSERT_LT(++agreed, kMessages);
  EXPECT_GE(agreed, 64) << "a window may lie between two messages of the other one";
}

TEST(Partner, KnowsWhatIsUnderWay) {
  Partner partner;
  const Outflow first(nullptr), second(nullptr);
  partner.begin(first, true, true, kBytes);
  partner.begin(second, false, true, kBytes);
  const SentMeanwhile both = partner.meanwhile(true, kBytes);
  EXPECT_TRUE(both.in_boxes && both.pulled);
  EXPECT_FALSE(both.is_all(Arm::second));
  EXPECT_EQ(both.since, SentMeanwhile::kNever) << "nobody wants to know";
  EXPECT_FALSE(partner.meanwhile(false, kBytes).any()) << "of another source";
  EXPECT_FALSE(partner.meanwhile(true, 8 * kBytes).any()) << "of another size";
  partner.end(second, false);
  EXPECT_EQ(partner.latest(), nullptr);
  EXPECT_TRUE(partner.meanwhile(true, kBytes).is_all(Arm::second));
  partner.withdraw();
  EXPECT_TRUE(partner.meanwhile(true, kBytes).is_all(Arm::first));
  partner.end(first, false);
  EXPECT_FALSE(partner.meanwhile(true, kBytes).any());
}

/// A short one may begin and end between two looks.
TEST(Partner, KnowsWhatHasBegunSince) {
  Partner partner;
  const Outflow flow(nullptr);
  const std::uint32_t before = partner.begun();
  partner.begin(flow, true, true, kBytes);
  partner.end(flow, true);
  EXPECT_NE(partner.begun(), before);
  EXPECT_TRUE(partner.last(true, kBytes).is_all(Arm::second));
  EXPECT_FALSE(partner.last(false, kBytes).any());
}

TEST(Partner, TakesTheTimeWhereThatIsAgreed) {
  Partner partner;
  const Outflow flow(nullptr);
  partner.agree(true, kBytes, {Arm::second, true});
  partner.begin(flow, true, true, kBytes);
  EXPECT_NE(partner.meanwhile(true, kBytes).since, SentMeanwhile::kNever);
  partner.end(flow, true);
  partner.agree(true, kBytes, {Arm::second, false});
  partner.begin(flow, true, true, kBytes);
  EXPECT_EQ(partner.meanwhile(true, kBytes).since, SentMeanwhile::kNever);
}

}  // namespace
}  // namespace foldlane::engine
