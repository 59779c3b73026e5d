#include "engine/choice/pass_choices.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

#include "support/test_clock.hpp"

namespace foldlane::engine {
namespace {

using Clock = foldlane::testing::TestClock;
using Choices = BasicPassChoices<Clock>;

constexpr PassKind kCopied{Passed::copied, 64 << 10, true};
constexpr std::int64_t kFast = 1'000, kSlow = 4'000;

/// So many calls, which the giver sends as the taker wants them. Returns how many were pulled.
int pass(Choices& choices, const PassKind& kind, int calls, std::int64_t boxes_ns, std::int64_t pull_ns) {
  int pulled = 0;
  for (int call = 0; call < calls; ++call) {
    const bool pulls = Choices::is_wanted(choices.wants(), kind);
    Choices::Use use;
    use.begin(choices, kind, pulls ? Arm::second : Arm::first);
    Clock::nanoseconds += pulls ? pull_ns : boxes_ns;
    use.end();
    pulled += pulls ? 1 : 0;
  }
  return pulled;
}

TEST(PassChoices, WantsWhatIsQuicker) {
  Decisions decisions;
  Choices choices(decisions);
  choices.learn(true);
  pass(choices, kCopied, 100, kSlow, kFast);
  EXPECT_GT(pass(choices, kCopied, 1'000, kSlow, kFast), 900);
  EXPECT_LT(pass(choices, kCopied, 2'000, kFast, kSlow), 1'200) << "and follows a move";
  EXPECT_LT(pass(choices, kCopied, 1'000, kFast, kSlow), 100);
}

TEST(PassChoices, EachKindHasItsOwn) {
  Decisions decisions;
  Choices choices(decisions);
  choices.learn(true);
  const PassKind elsewhere{Passed::copied, 64 << 10, false}, folded{Passed::folded, 64 << 10, true};
  const PassKind exchanged{Passed::exchanged, 64 << 10, true};
  pass(choices, kCopied, 100, kSlow, kFast);
  pass(choices, elsewhere, 100, kFast, kSlow);
  pass(choices, folded, 100, kFast, kSlow);
  pass(choices, exchanged, 100, kFast, kSlow);
  EXPECT_GT(pass(choices, kCopied, 100, kSlow, kFast), 80);
  EXPECT_LT(pass(choices, elsewhere, 100, kFast, kSlow), 20);
  EXPECT_LT(pass(choices, folded, 100, kFast, kSlow), 20);
  EXPECT_LT(pass(choices, exchanged, 100, kFast, kSlow), 20);
  const PassKind larger{Passed::copied, 256 << 10, true};
  EXPECT_EQ(pass(choices, larger, 20, kSlow, kFast), 19) << "begins as its neighbour";
}

TEST(PassChoices, ExchangesHaveAChoiceFromTwiceAsManyBytesOn) {
  Decisions decisions;
  const Choices choices(decisions);
  EXPECT_FALSE(choices.has_choice(Passed::copied, 8 << 10));
  EXPECT_TRUE(choices.has_choice(Passed::copied, (8 << 10) + 1));
  EXPECT_FALSE(choices.has_choice(Passed::exchanged, (16 << 10) + 1));
  EXPECT_TRUE(choices.has_choice(Passed::exchanged, (16 << 10) + 2));
  EXPECT_FALSE(choices.has_choice(Passed::exchanged, (1 << 20) + 1));
}

TEST(PassChoices, NothingIsPulledThatCannotBe) {
  Decisions decisions;
  Choices choices(decisions);
  EXPECT_EQ(pass(choices, kCopied, 1'000, kSlow, kFast), 0);
  choices.learn(true);
  pass(choices, kCopied, 100, kSlow, kFast);
  choices.learn(false);
  EXPECT_EQ(choices.wants(), 0U);
  EXPECT_EQ(pass(choices, kCopied, 1'000, kSlow, kFast), 0);
}

TEST(PassChoices, BothArmsCanBeForced) {
  for (const Arm arm : {Arm::first, Arm::second}) {
    ForcedArms forced;
    forced[static_cast<std::size_t>(Decision::pass_way)] = arm;
    Decisions decisions(forced);
    Choices choices(decisions);
    choices.learn(true);
    EXPECT_EQ(pass(choices, kCopied, 1'000, kFast, kFast), arm == Arm::second ? 1'000 : 0);
  }
}

}  // namespace
}  // namespace foldlane::engine
