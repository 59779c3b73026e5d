#include "engine/choice/block_choices.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <optional>

namespace foldlane::engine {
namespace {

constexpr std::size_t kBytes = 64 << 10;
constexpr int kCalls = 400;
constexpr std::size_t kMembers = 4;

void compute(std::chrono::microseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) continue;
}

/// Members before the first giver have no long blocks. The last one computes less if blocks go through slots,
/// the other givers if they are pulled. They compute one after the other, so that a later one's time has the
/// earlier ones' in it.
class BlocksOfSome : public testing::TestWithParam<std::size_t> {
 protected:
  BlocksOfSome() {
    for (BlockChoices& each : choices_) each.learn(true);
  }

  /// Who pulls in a call in which all give.
  std::array<bool, kMembers> call(std::size_t bytes = kBytes) {
    std::array<std::optional<BlockChoices::Use>, kMembers> uses;
    std::array<bool, kMembers> pulls{};
    std::array<std::uint64_t, kMembers> told{};
    for (std::size_t member = 0; member < kMembers; ++member) {
      BlockChoices::Use& use = uses[member].emplace(choices_[member]);
      if (member >= GetParam()) pulls[member] = use.pulls(bytes, true);
      told[member] = use.tell(static_cast<int>(member));
    }
    for (std::size_t member = 0; member < kMembers; ++member) {
      for (std::size_t giver = 0; giver < kMembers; ++giver)
        if (giver != member) uses[member]->hear(static_cast<int>(giver), told[giver]);
      compute(cost(member, pulls[member]));
      uses[member]->end();
      uses[member].reset();
    }
    return pulls;
  }
  /// A call of short blocks, in which one member alone has a table all the same.
  void short_call(std::size_t teller) {
    const std::uint64_t told = BlockChoices::Use(choices_[teller]).tell(static_cast<int>(teller));
    for (std::size_t member = 0; member < kMembers; ++member)
      if (member != teller) BlockChoices::Use(choices_[member]).hear(static_cast<int>(teller), told);
  }

  Decisions decisions_;
  std::array<BlockChoices, kMembers> choices_{
      BlockChoices(decisions_, false), BlockChoices(decisions_, false), BlockChoices(decisions_, false),
      BlockChoices(decisions_, false)};

 private:
  static std::chrono::microseconds cost(std::size_t member, bool pulls) {
    if (member < GetParam()) return std::chrono::microseconds(0);
    if (member + 1 < kMembers) return std::chrono::microseconds(pulls ? 2 : 40);
    return std::chrono::microseconds(pulls ? 300 : 2);
  }
};

TEST_P(BlocksOfSome, GoAsMostMembersFindQuicker) {
  int pulled = 0;
  for (int number = 0; number < kCalls; ++number) {
    const auto pulls = call();
    for (std::size_t member = GetParam(); member < kMembers; ++member)
      EXPECT_EQ(pulls[member], pulls[GetParam()]) << member << " in call " << number;
    pulled += pulls[GetParam()] ? 1 : 0;
  }
  EXPECT_GT(pulled, kCalls / 2);
}

TEST_P(BlocksOfSome, OfANewSizeGoAsOthersHaveBeenFound) {
  for (int number = 0; number < kCalls; ++number) call();
  const std::size_t giver = GetParam();
  for (const std::size_t bytes : {16 * kBytes, kBytes / 4}) {
    for (int number = 0; number < kCalls; ++number) {
      const auto pulls = call(bytes);
      for (std::size_t member = giver; member < kMembers; ++member)
        EXPECT_TRUE(number < 50 ? pulls[member] : pulls[member] == pulls[giver])
            << member << " in call " << number << " of " << bytes;
    }
  }
}

/// Whose blocks are short tells nothing: what it knows counts all the same.
TEST_P(BlocksOfSome, GoAsMostKnowThoughOneToldLast) {
  for (int number = 0; number < kCalls; ++number) call();
  int pulled = 0;
  for (int number = 0; number < kCalls; ++number) {
    short_call(number % 2 == 0 ? 0 : kMembers - 1);
    const auto pulls = call();
    for (std::size_t member = GetParam(); member < kMembers; ++member)
      EXPECT_EQ(pulls[member], pulls[GetParam()]) << member << " in call " << number;
    pulled += pulls[GetParam()] ? 1 : 0;
  }
  EXPECT_GT(pulled, kCalls / 2);
}

/// Otherwise nobody would try: what has not been compared yet says nothing of another size.
TEST_P(BlocksOfSome, AFirstTrialUnderWayDecidesNothing) {
  for (int number = 0; number < 4; ++number) call();
  int pulled = 0;
  for (int number = 0; number < 10; ++number) pulled += call(16 * kBytes)[GetParam()] ? 1 : 0;
  EXPECT_GT(pulled, 0);
}

/// What a member does alone does not bring it out of step with the others.
TEST_P(BlocksOfSome, GoTogetherThoughOneGivesAlone) {
  for (int number = 0; number < kCalls; ++number) {
    if (number < 50) {
      BlockChoices::Use alone(choices_[kMembers - 1]);
      alone.pulls(number % 2 == 0 ? kBytes : 16 * kBytes, false);
      compute(std::chrono::microseconds(2));
      alone.end();
    }
    const auto pulls = call(number < 200 ? kBytes : 16 * kBytes);
    for (std::size_t member = GetParam(); member < kMembers; ++member)
      EXPECT_EQ(pulls[member], pulls[GetParam()]) << member << " in call " << number;
  }
}

TEST(BlockChoices, OfWhoGivesAloneBeginAsOthers) {
  Decisions decisions;
  BlockChoices choices(decisions, false);
  choices.learn(true);
  const auto call = [&](std::size_t bytes) {
    BlockChoices::Use use(choices);
    const bool pulls = use.pulls(bytes, false);
    compute(std::chrono::microseconds(pulls ? 2 : 40));
    use.end();
    return pulls;
  };
  EXPECT_FALSE(call(kBytes)) << "a first trial begins with the slots";
  for (int number = 0; number < kCalls; ++number) call(kBytes);
  EXPECT_TRUE(call(16 * kBytes));
}

/// Where all give nobody is awaited for that: all compute alike.
TEST(BlockChoices, WhoGivesAloneAwaitsAllInTimedCallsOnly) {
  Decisions decisions;
  BlockChoices choices(decisions, true);
  choices.learn(true);
  const auto awaits = [&](bool all_give) {
    BlockChoices::Use use(choices);
    EXPECT_FALSE(use.awaits_all()) << "before its first long block";
    use.pulls(kBytes, all_give);
    const bool awaited = use.awaits_all();
    use.end();
    return awaited;
  };
  int awaited = 0;
  for (int number = 0; number < kCalls; ++number) {
    EXPECT_FALSE(awaits(true));
    awaited += awaits(false) ? 1 : 0;
  }
  EXPECT_GT(awaited, 0);
  EXPECT_LT(awaited, kCalls / 2);
}

INSTANTIATE_TEST_SUITE_P(FirstGiver, BlocksOfSome, testing::Values(0, 1));

}  // namespace
}  // namespace foldlane::engine
