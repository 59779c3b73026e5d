#include "bench/present/axis.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace foldlane::bench {
namespace {

TEST(SizeAxis, EndsAtTheData) {
  const Axis axis = size_axis(8, 1 << 26, 6);
  EXPECT_EQ(axis.low, 8);
  EXPECT_EQ(axis.high, 1 << 26);
  EXPECT_EQ(axis.share(8), 0);
  EXPECT_EQ(axis.share(1 << 26), 1);
  EXPECT_NEAR(axis.share(std::sqrt(8.0 * (1 << 26))), 0.5, 1e-12);
}

TEST(SizeAxis, TicksArePowersOfTwoAndNotTooMany) {
  const std::vector<double> expected = {16, 256, 4096, 65536, 1 << 20, 1 << 24};
  EXPECT_EQ(size_axis(8, 1 << 26, 6).ticks, expected);
  const std::vector<double> all = {8, 16, 32, 64};
  EXPECT_EQ(size_axis(8, 64, 6).ticks, all);
  const std::vector<double> few = {1024, 1 << 20};
  EXPECT_EQ(size_axis(8, 1 << 26, 3).ticks, few);
}

TEST(SizeAxis, SizesBetweenPowersOfTwoAreTicksThemselves) {
  const std::vector<double> expected = {1000, 1500};
  EXPECT_EQ(size_axis(1000, 1500, 6).ticks, expected);
}

TEST(SizeAxis, OneSizeIsInTheMiddle) {
  const Axis axis = size_axis(1024, 1024, 6);
  EXPECT_DOUBLE_EQ(axis.share(1024), 0.5);
  EXPECT_EQ(axis.ticks, std::vector<double>{1024});
}

TEST(ValueAxis, HoldsAllValuesBetweenRoundOnes) {
  const Axis axis = value_axis(0.34, 7.1);
  EXPECT_EQ(axis.low, 0.2);
  EXPECT_EQ(axis.high, 10);
  const std::vector<double> expected = {0.2, 0.5, 1, 2, 5, 10};
  EXPECT_EQ(axis.ticks, expected);
  EXPECT_TRUE(axis.minor.empty());
}

TEST(ValueAxis, LabelsOnlyPowersOfTenWhenThereAreMany) {
  const Axis axis = value_axis(0.03, 4100);
  EXPECT_EQ(axis.low, 0.02);
  EXPECT_EQ(axis.high, 5000);
  const std::vector<double> expected = {0.1, 1, 10, 100, 1000};
  EXPECT_EQ(axis.ticks, expected);
  EXPECT_EQ(axis.minor.front(), 0.02);
  EXPECT_EQ(axis.minor.back(), 5000);
}

TEST(ValueAxis, ValuesThatAreRoundStayAtTheEdge) {
  const Axis axis = value_axis(0.1, 1000);
  EXPECT_EQ(axis.low, 0.1);
  EXPECT_EQ(axis.high, 1000);
}

TEST(ValueAxis, OneValueHasAnAxis) {
  for (const double value : {0.001, 0.7, 1.0, 20.0, 12345.0}) {
    const Axis axis = value_axis(value, value);
    EXPECT_LE(axis.low, value);
    EXPECT_GE(axis.high, value);
    EXPECT_LT(axis.low, axis.high);
  }
}

TEST(Spread, LeavesAloneWhatIsApart) {
  const std::vector<double> wanted = {80, 10, 40};
  EXPECT_EQ(spread(wanted, 15, 0, 100), wanted);
}

TEST(Spread, PushesApartAroundTheirMiddleAndKeepsTheOrder) {
  const std::vector<double> expected = {57.5, 42.5};
  EXPECT_EQ(spread({51, 49}, 15, 0, 100), expected);
  const std::vector<double> equal = {35, 50, 65};
  EXPECT_EQ(spread({50, 50, 50}, 15, 0, 100), equal);
}

TEST(Spread, StaysWithinItsBoundsIfThereIsRoom) {
  const std::vector<double> low = {0, 15, 30};
  EXPECT_EQ(spread({1, 2, 3}, 15, 0, 100), low);
  const std::vector<double> high = {70, 85, 100};
  EXPECT_EQ(spread({98, 99, 100}, 15, 0, 100), high);
}

TEST(Spread, WithoutRoomTheyAreStillApart) {
  const std::vector<double> expected = {0, 15, 30};
  EXPECT_EQ(spread({1, 2, 3}, 15, 0, 20), expected);
  EXPECT_TRUE(spread({}, 15, 0, 20).empty());
}

}  // namespace
}  // namespace foldlane::bench
