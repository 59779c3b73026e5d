// The summary of `--under`, of reports made by hand.
#include "bench/suites/under.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "bench/suites/under_output.hpp"

namespace foldlane::bench {
namespace {

Estimate exactly(double value) { return {value, value, value}; }

Figure figure(const std::string& who, double time, std::optional<double> against = std::nullopt) {
  Figure figure;
  figure.who = who;
  figure.time = exactly(time);
  if (against) figure.against = exactly(*against);
  return figure;
}

CaseResult result(const char* call, std::uint64_t bytes, std::vector<Figure> figures) {
  CaseResult result;
  result.what = {.call = call, .bytes = bytes};
  result.figures = std::move(figures);
  return result;
}

/// 8 bytes: four times as fast, a quarter dearer than ours; 64 bytes: as fast, as dear.
Report report_of_two_sizes() {
  Report report;
  report.peers = {{"openmpi", "", ""}, {"openmpi+foldlane", "", ""}};
  report.cases = {
      result("reduce", 64,
             {figure("foldlane", 1), figure("openmpi", 1, 1), figure("openmpi+foldlane", 1, 1)}),
      result("reduce", 8,
             {figure("foldlane", 0.1), figure("openmpi", 0.5, 5), figure("openmpi+foldlane", 0.125, 1.25)})};
  return report;
}

TEST(Under, HasMeansOverSizesAndWhatIsAddedToTheSmallest) {
  const auto means = under_means(report_of_two_sizes());
  ASSERT_EQ(means.size(), 1u);
  EXPECT_EQ(means[0].host, "openmpi");
  EXPECT_EQ(means[0].call, "reduce");
  EXPECT_NEAR(means[0].gain.value, 2, 1e-9);
  EXPECT_NEAR(means[0].overhead.value, std::sqrt(1.25), 1e-9);
  EXPECT_NEAR(means[0].added_ns, 25, 1e-9);
}

TEST(Under, LeavesOutWhatHasNoPair) {
  Report report = report_of_two_sizes();
  for (CaseResult& one : report.cases) one.figures.pop_back();
  EXPECT_TRUE(under_means(report).empty());
  EXPECT_EQ(under_table(report, false), "");
}

TEST(Under, IsPrintedByCall) {
  const std::string text = under_table(report_of_two_sizes(), false);
  EXPECT_NE(text.find("openmpi  reduce  2.000"), std::string::npos) << text;
  EXPECT_EQ(under_json(report_of_two_sizes())[0].at("added_ns").get<double>(), 25);
}

}  // namespace
}  // namespace foldlane::bench
