// Measured times are read from both formats.
#include "bench/report/measured.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "bench/report/report_json.hpp"
#include "support/full_report.hpp"

namespace foldlane::bench {
namespace {

using nlohmann::json;
using All = std::vector<Measured>;

CaseResult result_of(const std::string& call, const std::vector<Figure>& figures) {
  return {.what = {.call = call, .bytes = 8},
          .figures = figures,
          .limits = {},
          .bound = "",
          .over_bound = std::nullopt,
          .not_supported_by = {}};
}

Figure figure_of(const std::string& who, const Estimate& time) {
  Figure figure;
  figure.who = who;
  figure.time = time;
  return figure;
}

TEST(MeasuredOfReport, AreFoldlanesOwn) {
  Report report;
  report.cases = {result_of("allreduce", {figure_of("foldlane", {2, 1, 3}), figure_of("mpich", {9, 8, 10})}),
                  result_of("scan", {figure_of("mpich", {4, 4, 4}), figure_of("foldlane", {5, 5, 6})}),
                  result_of("reduce", {figure_of("mpich", {4, 4, 4})})};
  EXPECT_EQ(read_measured(to_json(report)), (All{{"allreduce double sum 8 B 2 ranks hot", {2, 1, 3}},
                                                 {"scan double sum 8 B 2 ranks hot", {5, 5, 6}}}));
}

TEST(MeasuredOfReport, NumbersCasesMeasuredTwice) {
  Report report;
  report.cases = {result_of("scan", {figure_of("foldlane", {1, 1, 1})}),
                  result_of("scan", {figure_of("foldlane", {2, 2, 2})})};
  EXPECT_EQ(read_measured(to_json(report)), (All{{"scan double sum 8 B 2 ranks hot", {1, 1, 1}},
                                                 {"scan double sum 8 B 2 ranks hot (2)", {2, 2, 2}}}));
}

json google(const char* benchmarks) {
  return {{"context", {{"num_cpus", 2}}}, {"benchmarks", json::parse(benchmarks)}};
}

TEST(MeasuredOfGoogleBenchmark, RunsOfANameAreItsSamples) {
  const json document = google(R"([
    {"name": "fold/8", "run_name": "fold/8", "run_type": "iteration", "repetition_index": 0,
     "real_time": 3000.0, "cpu_time": 1.0, "time_unit": "ns"},
    {"name": "copy", "run_name": "copy", "run_type": "iteration", "real_time": 2.0, "time_unit": "ms"},
    {"name": "fold/8", "run_name": "fold/8", "run_type": "iteration", "repetition_index": 1,
     "real_time": 1000, "cpu_time": 1.0, "time_unit": "ns"},
    {"name": "fold/8", "run_name": "fold/8", "run_type": "iteration", "repetition_index": 2,
     "real_time": 2000.0, "cpu_time": 1.0, "time_unit": "ns"},
    {"name": "fold/8_mean", "run_name": "fold/8", "run_type": "aggregate", "aggregate_name": "mean",
     "real_time": 2000.0, "cpu_time": 1.0, "time_unit": "ns"},
    {"name": "fold/8_median", "run_name": "fold/8", "run_type": "aggregate", "aggregate_name": "median",
     "real_time": 2000.0, "cpu_time": 1.0, "time_unit": "ns"}])");
  EXPECT_EQ(read_measured(document), (All{{"fold/8", {2, 1, 3}}, {"copy", {2000, 2000, 2000}}}));
}

TEST(MeasuredOfGoogleBenchmark, MediansServeWhereNoRunsWereKept) {
  const json document = google(R"([
    {"name": "fold_mean", "run_name": "fold", "run_type": "aggregate", "aggregate_name": "mean",
     "real_time": 9.0, "cpu_time": 1.0, "time_unit": "us"},
    {"name": "fold_median", "run_name": "fold", "run_type": "aggregate", "aggregate_name": "median",
     "real_time": 4.0, "cpu_time": 1.0, "time_unit": "us"},
    {"name": "fold_cv", "run_name": "fold", "run_type": "aggregate", "aggregate_name": "cv",
     "aggregate_unit": "percentage", "real_time": 0.1, "cpu_time": 0.1, "time_unit": "us"}])");
  EXPECT_EQ(read_measured(document), (All{{"fold", {4, 4, 4}}}));
}

/// Versions before 1.5 know no run_name, and no run_type.
TEST(MeasuredOfGoogleBenchmark, OldDocumentsHaveNamesOnly) {
  EXPECT_EQ(read_measured(google(R"([{"name": "fold", "real_time": 2.5, "time_unit": "s"}])")),
            (All{{"fold", {2.5e6, 2.5e6, 2.5e6}}}));
}

TEST(MeasuredOfGoogleBenchmark, LeavesOutWhatDidNotRun) {
  const json document = google(R"([
    {"name": "a", "run_name": "a", "run_type": "iteration", "error_occurred": true, "error_message": "no"},
    {"name": "b", "run_name": "b", "run_type": "iteration", "skipped": true, "skip_message": "no"},
    {"name": "c", "run_name": "c", "run_type": "iteration", "error_occurred": false, "real_time": 1.0,
     "time_unit": "us"}])");
  EXPECT_EQ(read_measured(document), (All{{"c", {1, 1, 1}}}));
}

std::string complaint_about(const json& document) {
  try {
    read_measured(document);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(Measured, ExplainsOtherDocuments) {
  EXPECT_EQ(complaint_about(json::parse("[1]")), "the document: an object was expected");
  EXPECT_EQ(complaint_about(json::parse(R"({"a": 1})")),
            "the document: neither a report of foldlane bench nor one of Google Benchmark");
}

TEST(Measured, RefusesALaterReport) {
  json document = to_json(full_report());
  document["foldlane_bench"] = kReportSchema + 1;
  EXPECT_NE(complaint_about(document).find("layout 2"), std::string::npos);
}

TEST(MeasuredOfGoogleBenchmark, SaysWhereItIsDamaged) {
  EXPECT_EQ(complaint_about(google("{}")), "benchmarks: a list was expected");
  EXPECT_EQ(complaint_about(google("[3]")), "benchmarks[0]: an object was expected");
  EXPECT_EQ(complaint_about(google(R"([{"real_time": 1.0, "time_unit": "ns"}])")),
            "benchmarks[0].name: is missing");
  EXPECT_EQ(complaint_about(google(R"([{"name": "a", "time_unit": "ns"}])")),
            "benchmarks[0].real_time: is missing");
  EXPECT_EQ(complaint_about(google(R"([{"name": "a", "real_time": "1", "time_unit": "ns"}])")),
            "benchmarks[0].real_time: a number was expected");
  EXPECT_EQ(complaint_about(google(R"([{"name": "a", "real_time": 1.0, "time_unit": "h"}])")),
            "benchmarks[0].time_unit: ns, us, ms or s was expected");
}

}  // namespace
}  // namespace foldlane::bench
