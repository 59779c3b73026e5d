#include "engine/choice/mutual_choices.hpp"

#include <gtest/gtest.h>

#include "engine/p2p/transfers/outflows.hpp"
#include "engine/p2p/transfers/partner.hpp"

namespace foldlane::engine {
namespace {

constexpr std::size_t kBytes = 64 << 10;
constexpr int kMessages = 20'000;

class BothDirections : public testing::Test {
 protected:
  std::optional<Arm> end(MutualChoices& choices, const SentMeanwhile& meanwhile) {
    return choices.end(kBytes, false, Arm::first, Pace::kNever, meanwhile, likely_);
  }

  Decisions decisions_;
  Arm likely_ = Arm::first;
  const SentMeanwhile kNothing{}, kBoxes{.in_boxes = 1, .pulled = 0, .since = SentMeanwhile::kNever};
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
  partner.agree(true, kBytes, Arm::second);
  EXPECT_EQ(partner.agreed(true, kBytes), Arm::second);
  EXPECT_FALSE(partner.agreed(false, kBytes).has_value());
  EXPECT_FALSE(partner.agreed(true, 8 * kBytes).has_value());
  partner.agree(true, kBytes, Arm::first);
  EXPECT_EQ(partner.agreed(true, kBytes), Arm::first);
}

TEST(Partner, IsSentToAsItWantsIfItHasNotSentForLong) {
  Partner partner;
  partner.agree(true, kBytes, Arm::second);
  int agreed = 0;
  while (partner.agreed(true, kBytes)) ASSERT_LT(++agreed, kMessages);
  EXPECT_GE(agreed, 64) << "a window may lie between two messages of the other one";
}

TEST(Partner, KnowsWhatIsUnderWay) {
  Partner partner;
  const Outflow first(nullptr), second(nullptr);
  partner.begin(first, Arm::second, true, kBytes, true);
  partner.begin(second, Arm::first, true, kBytes, false);
  const SentMeanwhile both = partner.meanwhile(true, kBytes);
  EXPECT_EQ(both.in_boxes, 1U);
  EXPECT_EQ(both.pulled, 1U);
  EXPECT_FALSE(both.is_all(Arm::second));
  EXPECT_EQ(both.since, SentMeanwhile::kNever) << "nobody wants to know";
  EXPECT_FALSE(partner.meanwhile(false, kBytes).any()) << "of another source";
  EXPECT_FALSE(partner.meanwhile(true, 8 * kBytes).any()) << "of another size";
  partner.end(second, Arm::first);
  EXPECT_EQ(partner.latest(), nullptr);
  EXPECT_TRUE(partner.meanwhile(true, kBytes).is_all(Arm::second));
  partner.withdraw(second);
  EXPECT_TRUE(partner.meanwhile(true, kBytes).is_all(Arm::first));
  partner.end(first, Arm::first);
  EXPECT_FALSE(partner.meanwhile(true, kBytes).any());
}

/// Of two windows one may be over before the other one comes: each of its messages answers one.
TEST(Partner, IsAnsweredAsOftenAsItWasSentTo) {
  Partner partner;
  const Outflow flow(nullptr);
  EXPECT_FALSE(partner.answer(true, kBytes).any());
  constexpr std::uint32_t kWindow = 16;
  for (std::uint32_t message = 0; message < kWindow; ++message) {
    partner.begin(flow, Arm::second, true, kBytes, true);
    partner.end(flow, Arm::second);
  }
  EXPECT_FALSE(partner.answer(false, kBytes).any()) << "of another source";
  EXPECT_FALSE(partner.answer(true, 8 * kBytes).any()) << "of another size";
  for (std::uint32_t message = 0; message < kWindow; ++message) {
    const SentMeanwhile answered = partner.answer(true, kBytes);
    EXPECT_EQ(answered.messages(), kWindow - message);
    EXPECT_TRUE(answered.is_all(Arm::second));
  }
  EXPECT_FALSE(partner.answer(true, kBytes).any());
}

/// What was streamed before is no window of an exchange that begins then.
TEST(Partner, IsAnsweredOnceByTurnsWhateverItWasSentBefore) {
  Partner partner;
  const Outflow flow(nullptr);
  const auto send = [&](std::size_t bytes) {
    partner.begin(flow, Arm::first, true, bytes, true);
    partner.end(flow, Arm::first);
  };
  for (int message = 0; message < 40; ++message) send(kBytes);
  for (int turn = 0; turn < 3; ++turn) {
    EXPECT_EQ(partner.answer(true, kBytes).messages(), turn == 0 ? 40U : 1U);
    send(kBytes);
  }
  send(8 * kBytes);
  EXPECT_FALSE(partner.answer(true, kBytes).any());
  EXPECT_EQ(partner.answer(true, 8 * kBytes).messages(), 1U);
}

/// A short one may begin and end between two looks.
TEST(Partner, KnowsWhatHasBegunSince) {
  Partner partner;
  const Outflow flow(nullptr);
  const std::uint32_t before = partner.begun();
  partner.begin(flow, Arm::second, true, kBytes, true);
  partner.end(flow, Arm::second);
  EXPECT_NE(partner.begun(), before);
  EXPECT_TRUE(partner.last(true, kBytes).is_all(Arm::second));
  EXPECT_FALSE(partner.last(false, kBytes).any());
}

TEST(Partner, TakesTheTimeWhereBothSend) {
  Partner partner;
  const Outflow flow(nullptr);
  partner.begin(flow, Arm::second, true, kBytes, true);
  EXPECT_EQ(partner.meanwhile(true, kBytes).since, SentMeanwhile::kNever);
  partner.end(flow, Arm::second);
  partner.agree(true, kBytes, Arm::second);
  partner.begin(flow, Arm::second, true, kBytes, true);
  EXPECT_NE(partner.meanwhile(true, kBytes).since, SentMeanwhile::kNever);
}

TEST_F(BothDirections, BeginAsIsLikely) {
  likely_ = Arm::second;
  MutualChoices choices(decisions_, true);
  EXPECT_EQ(end(choices, kBoxes), Arm::second);
}

/// A window's first messages are matched before it is known that there is one. What met them has begun then.
TEST_F(BothDirections, AreTimedIfTheBeginOfEitherIsKnown) {
  MutualChoices choices(decisions_, true);
  const SentMeanwhile in_boxes{.in_boxes = 1, .pulled = 0, .since = SentMeanwhile::Clock::now()};
  const SentMeanwhile pulled{.in_boxes = 0, .pulled = 1, .since = in_boxes.since};
  Arm way = Arm::first;
  for (int message = 0; message < kMessages; ++message) {
    const auto& meanwhile = way == Arm::first ? in_boxes : pulled;
    way = *choices.end(kBytes, false, way, SentMeanwhile::kNever, meanwhile, likely_);
  }
  const auto& kept = decisions_.of(Decision::message_way).kept;
  EXPECT_GT(kept[0].peek() + kept[1].peek(), 0U);
}

/// What a program does between two exchanges is no time of theirs, though boxes may come back later.
TEST(Partner, TakesTheTimeFromTheFirstOfWhatIsUnderWay) {
  Partner partner;
  const Outflow first(nullptr), second(nullptr), third(nullptr);
  const auto since = [&] { return partner.meanwhile(true, kBytes).since; };
  partner.agree(true, kBytes, Arm::first);
  partner.begin(first, Arm::first, true, kBytes, true);
  const auto begin = since();
  partner.begin(second, Arm::first, true, kBytes, false);
  EXPECT_EQ(since(), begin);
  while (SentMeanwhile::Clock::now() == begin) {
  }
  partner.begin(third, Arm::first, true, kBytes, true);
  EXPECT_GT(since(), begin) << "those before are over, whoever has seen that";
}

}  // namespace
}  // namespace foldlane::engine
