// The summary of `--suite never-slower`, of reports made by hand.
#include "bench/suites/never_slower.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "bench/report/case_name.hpp"
#include "bench/suites/never_slower_output.hpp"

namespace foldlane::bench {
namespace {

Estimate around(double value, double share) { return {value, value * (1 - share), value * (1 + share)}; }

Figure peer(const char* who, std::optional<Estimate> against, ByDistance by_distance = {}) {
  Figure figure;
  figure.who = who;
  figure.options = "--given x";
  figure.against = against;
  figure.against_by_distance = by_distance;
  return figure;
}

CaseResult result(const char* call, std::uint64_t bytes, std::vector<Figure> peers) {
  CaseResult result;
  result.what = {.call = call, .bytes = bytes};
  result.figures = {
      Figure{.who = "foldlane", .options = "", .time = {}, .against = {}, .check = {}, .overlap = {}}};
  result.figures.insert(result.figures.end(), peers.begin(), peers.end());
  return result;
}

Report report_of(std::vector<CaseResult> cases) {
  Report report;
  report.cases = std::move(cases);
  return report;
}

NeverSlower found_in(std::vector<CaseResult> cases) { return never_slower(report_of(std::move(cases))); }

TEST(NeverSlower, TakesThePeerThatDidBest) {
  const auto found =
      found_in({result("bcast", 8, {peer("openmpi", around(2, 0.01)), peer("mpich", around(0.9, 0.01))})});
  ASSERT_EQ(found.all.slower.size(), 1u);
  EXPECT_EQ(found.all.slower[0],
            (Contest{"bcast double 8 B 2 ranks hot", "mpich", "--given x", around(0.9, 0.01)}));
  EXPECT_EQ(found.all.compared, 1u);
  EXPECT_FALSE(is_passed(found));
}

TEST(NeverSlower, IsSlowerOnlyWhereTheWholeIntervalIsBelowOne) {
  EXPECT_EQ(found_in({result("bcast", 8, {peer("mpich", Estimate{0.9, 0.8, 0.999})})}).all.slower.size(), 1u);
  const auto equal = found_in({result("bcast", 8, {peer("mpich", Estimate{0.99, 0.98, 1})})});
  EXPECT_TRUE(equal.all.slower.empty());
  EXPECT_TRUE(equal.all.undecided.empty());
  EXPECT_TRUE(is_passed(equal));
}

/// A peer that failed, or a user who interrupted, has left few rounds.
TEST(NeverSlower, IsUndecidedWhereFewRoundsSayThatItIsSlower) {
  Figure rough = peer("mpich", Estimate{0.7, 0.7, 0.7});
  rough.against_is_rough = true;
  const auto found = found_in({result("bcast", 8, {rough})});
  EXPECT_TRUE(found.all.slower.empty());
  EXPECT_EQ(found.all.undecided.size(), 1u);
}

TEST(NeverSlower, IsUndecidedWhereAWideIntervalContainsOne) {
  const auto undecided = [](Estimate ratio) {
    return found_in({result("bcast", 8, {peer("mpich", ratio)})}).all.undecided.size();
  };
  EXPECT_EQ(undecided(around(1, 0.031)), 1u);
  EXPECT_EQ(undecided(around(1, 0.029)), 0u);
  EXPECT_EQ(undecided(around(2, 0.2)), 0u);    // faster, whatever it is
  EXPECT_EQ(undecided(around(0.5, 0.2)), 0u);  // slower, likewise
  const auto found = found_in({result("bcast", 8, {peer("mpich", around(1, 0.2))})});
  EXPECT_TRUE(is_passed(found));
}

TEST(NeverSlower, IsWideWhereAWideIntervalLiesAboveOne) {
  const auto wide = [](Estimate ratio) {
    return found_in({result("bcast", 8, {peer("mpich", ratio)})}).all.wide.size();
  };
  EXPECT_EQ(wide(around(2, 0.031)), 1u);
  EXPECT_EQ(wide(around(2, 0.029)), 0u);
  EXPECT_EQ(wide(around(1, 0.2)), 0u);    // undecided
  EXPECT_EQ(wide(around(0.5, 0.2)), 0u);  // slower
}

TEST(NeverSlower, HasTheWorstFirst) {
  const auto found = found_in({result("bcast", 8, {peer("mpich", around(0.9, 0.01))}),
                               result("bcast", 32, {peer("mpich", around(0.5, 0.01))}),
                               result("bcast", 64, {peer("mpich", around(0.7, 0.01))})});
  ASSERT_EQ(found.all.slower.size(), 3u);
  EXPECT_EQ(found.all.slower[0].ratio.value, 0.5);
  EXPECT_EQ(found.all.slower[2].ratio.value, 0.9);
}

TEST(NeverSlower, HasAGeometricMeanPerCall) {
  const auto found =
      found_in({result("scan", 8, {peer("mpich", around(2, 0.01))}),
                result("bcast", 8, {peer("mpich", around(3, 0.01))}),
                result("scan", 32, {peer("mpich", around(8, 0.01)), peer("openmpi", around(9, 0.01))})});
  ASSERT_EQ(found.all.means.size(), 2u);
  EXPECT_EQ(found.all.means[0].call, "scan");
  EXPECT_DOUBLE_EQ(found.all.means[0].ratio.value, 4);
  EXPECT_EQ(found.all.means[1].call, "bcast");
  EXPECT_DOUBLE_EQ(found.all.means[1].ratio.value, 3);
}

TEST(NeverSlower, TellsNearFromFar) {
  const ByDistance bad_far{around(2, 0.01), around(0.5, 0.01)}, only_near{around(8, 0.01), std::nullopt};
  const auto found = found_in({result("scan", 8, {peer("mpich", around(1.5, 0.01), bad_far)}),
                               result("scan", 32, {peer("mpich", around(8, 0.01), only_near)})});
  EXPECT_EQ(found.near.compared, 2u);
  EXPECT_TRUE(found.near.slower.empty());
  EXPECT_DOUBLE_EQ(found.near.means.at(0).ratio.value, 4);
  EXPECT_EQ(found.far.compared, 1u);
  ASSERT_EQ(found.far.slower.size(), 1u);
  EXPECT_EQ(found.far.slower[0].ratio.value, 0.5);
  EXPECT_TRUE(is_passed(found));  // by all rounds together nothing is slower
}

TEST(NeverSlower, IsNotPassedIfNothingWasCompared) {
  const auto found = found_in({result("scan", 8, {}), result("scan", 32, {peer("mpich", std::nullopt)})});
  EXPECT_EQ(found.cases, 2u);
  EXPECT_EQ(found.all.compared, 0u);
  EXPECT_TRUE(found.all.means.empty());
  EXPECT_FALSE(is_passed(found));
}

NeverSlower one_of_each() {
  return found_in(
      {result("reduce_scatter", 8, {peer("mpich", around(0.9, 0.01), {std::nullopt, around(0.8, 0.01)})}),
       result("scan", 8, {peer("mpich", around(1, 0.1), {around(4, 0.1), std::nullopt})})});
}

TEST(NeverSlowerText, NamesEveryCaseWithItsRatioAndInterval) {
  EXPECT_EQ(table(one_of_each(), false), R"(
Never slower than the best peer? 2 cases
rounds  compared  slower  undecided  wide
all     2         1       1          0
near    1         0       0          1
far     1         1       0          0

Slower than the best peer
rounds  case                                       its time / ours         best peer
all     reduce_scatter double sum 8 B 2 ranks hot  0.900 [0.891 .. 0.909]  mpich
far     reduce_scatter double sum 8 B 2 ranks hot  0.800 [0.792 .. 0.808]  mpich

Undecided: 1 lies in the interval, which is wider than ±3 % or of few rounds
rounds  case                             its time / ours         best peer
all     scan double sum 8 B 2 ranks hot  1.000 [0.900 .. 1.100]  mpich

The best peer's time / ours, geometric means
call            all                     near                    far
reduce_scatter  0.900 [0.900 .. 0.900]  -                       0.800 [0.800 .. 0.800]
scan            1.000 [1.000 .. 1.000]  4.000 [4.000 .. 4.000]  -

wide: faster, but the interval is wider than ±3 %
near: rounds beside which the handoff was below 80 ns; far: the others
)");
}

TEST(NeverSlowerText, IsMarkdownToo) {
  const std::string text = markdown(one_of_each());
  EXPECT_NE(text.find("| all | 2 | 1 | 1 | 0 |\n"), std::string::npos) << text;
  EXPECT_NE(text.find("| all | reduce\\_scatter double sum 8 B 2 ranks hot | 0.900 \\[0.891 .. 0.909\\] | "
                      "mpich --given x |"),
            std::string::npos)
      << text;
}

TEST(NeverSlowerJson, HasAllOfIt) {
  const nlohmann::json found = to_json(one_of_each());
  EXPECT_EQ(found.at("cases"), 2);
  EXPECT_EQ(found.at("all").at("compared"), 2);
  EXPECT_EQ(found.at("all").at("slower").at(0).at("case"), "reduce_scatter double sum 8 B 2 ranks hot");
  EXPECT_EQ(found.at("all").at("slower")[0].at("peer"), "mpich");
  EXPECT_EQ(found.at("all").at("slower")[0].at("options"), "--given x");
  EXPECT_EQ(found.at("all").at("slower")[0].at("ratio").at("value"), 0.9);
  EXPECT_EQ(found.at("all").at("undecided").size(), 1u);
  EXPECT_EQ(found.at("all").at("wide").size(), 0u);
  EXPECT_EQ(found.at("near").at("wide").at(0).at("ratio").at("value"), 4);
  EXPECT_EQ(found.at("near").at("geometric_means").at("scan").at("value"), 4);
  EXPECT_EQ(found.at("far").at("slower")[0].at("ratio").at("value"), 0.8);
}

}  // namespace
}  // namespace foldlane::bench
