// Near rounds and far ones are told apart by the handoff beside them, and too few of a kind give no figure.
#include "bench/report/by_distance.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace foldlane::bench {
namespace {

constexpr double kShort = kNearHandoff * 0.9, kLong = kNearHandoff * 3;

TEST(ByDistance, SplitsRoundsByTheirHandoff) {
  std::vector<double> ratios, handoffs;
  for (int round = 0; round < 8; ++round) {
    ratios.insert(ratios.end(), {3, 0.5});
    handoffs.insert(handoffs.end(), {kShort, kLong});
  }
  const ByDistance found = by_distance(ratios, handoffs);
  EXPECT_EQ(found.near, (Estimate{3, 3, 3}));
  EXPECT_EQ(found.far, (Estimate{0.5, 0.5, 0.5}));
}

TEST(ByDistance, CallsTheBorderFar) {
  const std::vector<double> ratios(6, 2), handoffs(6, kNearHandoff);
  EXPECT_FALSE(by_distance(ratios, handoffs).near);
  EXPECT_TRUE(by_distance(ratios, handoffs).far);
}

TEST(ByDistance, HasNoFigureOfFewerThanSixRounds) {
  const std::vector<double> ratios(11, 2);
  std::vector<double> handoffs(11, kShort);
  for (std::size_t round = 0; round < 5; ++round) handoffs[2 * round] = kLong;
  EXPECT_TRUE(by_distance(ratios, handoffs).near);
  EXPECT_FALSE(by_distance(ratios, handoffs).far);
}

TEST(ByDistance, LeavesOutRoundsWithoutAHandoff) {
  const std::vector<double> ratios{2, 2, 2, 2, 2, 2, 9, 9, 9, 9, 9, 9, 9}, handoffs(6, kShort);
  EXPECT_EQ(by_distance(ratios, handoffs).near, (Estimate{2, 2, 2}));
  EXPECT_EQ(by_distance(ratios, {}), ByDistance{});
}

}  // namespace
}  // namespace foldlane::bench
