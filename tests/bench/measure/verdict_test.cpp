// Who goes on being measured, by rounds made up here.
#include "bench/measure/verdict.hpp"

#include <gtest/gtest.h>

namespace foldlane::bench {
namespace {

constexpr Effort kEffort{.half_width = 0.01, .lost_above = 1.1};

Rounds rounds(std::size_t number, double time) { return Rounds(number, time); }

/// Around 1, and no two stretches alike (statistics.hpp).
Rounds restless(std::size_t number) {
  Rounds all;
  for (std::size_t i = 0; i < number; ++i) all.push_back(i % 4 < 2 ? 0.9 : 1.1);
  return all;
}

TEST(Verdict, IsALossOnlyAfterSixRounds) {
  EXPECT_FALSE(has_lost(rounds(5, 2), rounds(5, 1), kEffort));
  EXPECT_TRUE(has_lost(rounds(6, 2), rounds(6, 1), kEffort));
}

TEST(Verdict, IsALossOnlyWithTheWholeInterval) {
  EXPECT_FALSE(has_lost(rounds(6, 1.1), rounds(6, 1), kEffort));
  EXPECT_TRUE(has_lost(rounds(6, 1.2), rounds(6, 1), kEffort));
  EXPECT_FALSE(has_lost({3, 3, 3, 3, 3, 1.05}, rounds(6, 1), kEffort));
}

TEST(Verdict, IsALossAfterOneRoundThatIsHopeless) {
  EXPECT_TRUE(is_hopeless({60}, {1}, kEffort));
  EXPECT_TRUE(has_lost({60}, {1}, kEffort));
  EXPECT_FALSE(is_hopeless({60, 50}, {1, 1}, kEffort));
  EXPECT_FALSE(has_lost({60, 50}, {1, 1}, kEffort));
  EXPECT_FALSE(is_hopeless({}, {1}, kEffort));
}

TEST(Verdict, StandsWhileWeGoOn) { EXPECT_TRUE(has_lost(rounds(6, 2), rounds(60, 1), kEffort)); }

TEST(Verdict, IsNeverALossUnlessAskedFor) {
  EXPECT_FALSE(has_lost(rounds(60, 1e9), rounds(60, 1), {}));
  EXPECT_FALSE(is_hopeless({1e9}, {1}, {}));
}

TEST(Verdict, SettlesACaseThatAllHaveLostHoweverWide) {
  EXPECT_TRUE(is_settled(restless(6), {rounds(6, 5), rounds(6, 9)}, kEffort));
  EXPECT_FALSE(is_settled(restless(6), {rounds(6, 5), rounds(6, 1)}, kEffort));
  EXPECT_FALSE(is_settled(restless(6), {}, kEffort));
}

TEST(Verdict, SettlesWhatIsNarrowButForThoseWhoHaveLost) {
  EXPECT_TRUE(is_settled(rounds(20, 1), {rounds(20, 1), rounds(20, 0.5)}, kEffort));
  EXPECT_FALSE(is_settled(rounds(20, 1), {restless(20), rounds(20, 0.5)}, kEffort));
  EXPECT_TRUE(is_settled(rounds(6, 1), {{2, 3, 2, 3, 2, 3}, rounds(6, 1)}, kEffort));
  EXPECT_TRUE(is_settled(rounds(20, 1), {}, kEffort));
}

TEST(Verdict, HasNothingToSayWithoutOurRounds) { EXPECT_TRUE(is_settled({}, {restless(20)}, kEffort)); }

}  // namespace
}  // namespace foldlane::bench
