// Comparing two measurements: verdicts, ratios, the table.
#include "bench/report/compare.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace foldlane::bench {
namespace {

using All = std::vector<Measured>;

Change change_of(const Estimate& before, const Estimate& after, double tolerance = 0.05) {
  return compare(All{{"x", before}}, All{{"x", after}}, tolerance).at(0);
}

TEST(Compare, DiffersOnlyWhereIntervalsDoNotOverlap) {
  EXPECT_EQ(change_of({10, 9, 13}, {20, 13, 21}).verdict, Verdict::same);
  EXPECT_EQ(change_of({10, 9, 12}, {20, 13, 21}).verdict, Verdict::slower);
  EXPECT_EQ(change_of({20, 13, 21}, {10, 9, 12}).verdict, Verdict::faster);
}

TEST(Compare, DiffersOnlyBeyondTheTolerance) {
  const Estimate ten{10, 10, 10};
  EXPECT_EQ(change_of(ten, {12.5, 12.5, 12.5}, 0.25).verdict, Verdict::same);
  EXPECT_EQ(change_of({12.5, 12.5, 12.5}, ten, 0.25).verdict, Verdict::same);
  EXPECT_EQ(change_of(ten, {12.6, 12.6, 12.6}, 0.25).verdict, Verdict::slower);
  EXPECT_EQ(change_of({12.6, 12.6, 12.6}, ten, 0.25).verdict, Verdict::faster);
}

TEST(Compare, RatioIsAfterOverBefore) {
  EXPECT_EQ(change_of({10, 9, 12}, {15, 13, 21}).ratio, 1.5);
  EXPECT_EQ(change_of({0, 0, 0}, {0, 0, 0}).ratio, 1);
  EXPECT_EQ(change_of({0, 0, 0}, {0, 0, 0}).verdict, Verdict::same);
}

TEST(Compare, MatchesByNameAndKeepsTheOrder) {
  const All before{{"b", {1, 1, 1}}, {"gone", {2, 2, 2}}, {"a", {3, 3, 3}}};
  const All after{{"new", {4, 4, 4}}, {"a", {3, 3, 3}}, {"b", {1, 1, 1}}};
  const std::vector<Change> changes = compare(before, after, 0.05);
  ASSERT_EQ(changes.size(), 4u);
  EXPECT_EQ(changes[0].what, "b");
  EXPECT_EQ(changes[0].before, (Estimate{1, 1, 1}));
  EXPECT_EQ(changes[0].after, (Estimate{1, 1, 1}));
  EXPECT_EQ(changes[0].verdict, Verdict::same);
  EXPECT_EQ(changes[1].what, "gone");
  EXPECT_EQ(changes[1].before, (Estimate{2, 2, 2}));
  EXPECT_FALSE(changes[1].after);
  EXPECT_EQ(changes[1].verdict, Verdict::missing);
  EXPECT_TRUE(std::isnan(changes[1].ratio));
  EXPECT_EQ(changes[2].what, "a");
  EXPECT_EQ(changes[3].what, "new");
  EXPECT_FALSE(changes[3].before);
  EXPECT_EQ(changes[3].after, (Estimate{4, 4, 4}));
  EXPECT_EQ(changes[3].verdict, Verdict::added);
  EXPECT_TRUE(std::isnan(changes[3].ratio));
}

bool worse(const All& before, const All& after) { return is_worse(compare(before, after, 0.05)); }

TEST(Compare, IsWorseWithAnythingSlowerOrMissing) {
  const Measured fast{"x", {1, 1, 1}}, slow{"x", {2, 2, 2}}, other{"y", {1, 1, 1}};
  EXPECT_FALSE(worse({}, {}));
  EXPECT_FALSE(worse({fast}, {fast}));
  EXPECT_FALSE(worse({slow}, {fast, other}));
  EXPECT_TRUE(worse({other, fast}, {other, slow}));
  EXPECT_TRUE(worse({fast, other}, {fast}));
}

TEST(Describe, IsAnAlignedTableTheWorstFirst) {
  const All before{{"steady", {1, 0.95, 1.05}},
                   {"fast", {2000, 1990, 2010}},
                   {"gone", {0.01234, 0.012, 0.013}},
                   {"a slow one", {10, 9, 11}}};
  const All after{{"new", {33.333, 33, 34}},
                  {"steady", {1, 0.96, 1.04}},
                  {"fast", {1000, 990, 1010}},
                  {"a slow one", {40, 39, 41}}};
  // ratios 1, 0.5 and 4: the third root of 2 is 1.26
  const std::string expected =
      "verdict  case                          before, us               after, us  ratio\n"
      "slower   a slow one         10.00 [9.00 .. 11.00]  40.00 [39.00 .. 41.00]  4.000\n"
      "missing  gone        0.01234 [0.01200 .. 0.01300]\n"
      "faster   fast                 2000 [1990 .. 2010]      1000 [990 .. 1010]  0.500\n"
      "added    new                                       33.33 [33.00 .. 34.00]\n"
      "same     steady            1.000 [0.950 .. 1.050]  1.000 [0.960 .. 1.040]  1.000\n"
      "the intervals of 1 of 3 cases overlap (33.3 %); geometric mean of after/before 1.260 [0.500 .. "
      "4.000]\n";
  const std::string text = describe(compare(before, after, 0.05));
  EXPECT_EQ(text, expected);
}

TEST(Describe, NothingInCommon) {
  const std::string text = describe(compare(All{{"x", {1, 1, 1}}}, All{{"y", {1, 1, 1}}}, 0.05));
  EXPECT_NE(text.find("\nno case was measured both before and after\n"), std::string::npos);
}

TEST(Describe, TimesOfZeroHaveNoPartInTheMean) {
  const All before{{"x", {0, 0, 0}}, {"y", {2, 2, 2}}, {"z", {1, 1, 1}}};
  const All after{{"x", {1, 1, 1}}, {"y", {4, 4, 4}}, {"z", {0, 0, 0}}};
  const std::string text = describe(compare(before, after, 0.05));
  EXPECT_NE(
      text.find("0 of 3 cases overlap (0.0 %); geometric mean of after/before 2.000 [2.000 .. 2.000]\n"),
      std::string::npos)
      << text;
}

}  // namespace
}  // namespace foldlane::bench
