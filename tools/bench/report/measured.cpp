#include "bench/report/measured.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "bench/report/case_name.hpp"
#include "bench/report/json_node.hpp"
#include "bench/report/report_json.hpp"
#include "bench/report/statistics.hpp"

namespace foldlane::bench {
namespace {

/// A size given twice makes a case twice; the second one is "… (2)".
std::string numbered(const std::string& name, int occurrence) {
  return occurrence == 1 ? name : fmt::format("{} ({})", name, occurrence);
}

std::vector<Measured> measured_of(const Report& report) {
  std::vector<Measured> result;
  std::map<std::string, int> occurrences;
  for (const CaseResult& found : report.cases) {
    const auto own = std::find_if(found.figures.begin(), found.figures.end(),
                                  [](const Figure& figure) { return figure.who == "foldlane"; });
    if (own == found.figures.end()) continue;
    const std::string name = name_of(found.what);
    result.push_back({numbered(name, ++occurrences[name]), own->time});
  }
  return result;
}

/// What Google Benchmark wrote about one name.
struct Runs {
  std::string name;
  std::vector<double> samples;
  std::vector<double> medians;  // of aggregates; one, unless somebody joined documents
};

double microseconds_per(const JsonNode& unit) {
  static const std::map<std::string, double> kUnits{{"ns", 1e-3}, {"us", 1}, {"ms", 1e3}, {"s", 1e6}};
  const auto found = kUnits.find(unit.text());
  if (found == kUnits.end()) unit.fail("ns, us, ms or s was expected");
  return found->second;
}

bool is_set(const JsonNode& run, const char* flag) {
  const auto found = run.find(flag);
  return found && found->flag();
}

std::string text_or(const JsonNode& run, const char* name, const std::string& otherwise) {
  const auto found = run.find(name);
  return found ? found->text() : otherwise;
}

Runs& runs_named(std::vector<Runs>& all, const std::string& name) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Runs& runs) { return runs.name == name; });
  return found == all.end() ? all.emplace_back(Runs{name, {}, {}}) : *found;
}

void add_run(std::vector<Runs>& all, const JsonNode& run) {
  if (is_set(run, "error_occurred") || is_set(run, "skipped")) return;
  const bool aggregate = text_or(run, "run_type", "iteration") == "aggregate";
  if (aggregate && run.member("aggregate_name").text() != "median") return;
  const double time = run.member("real_time").number() * microseconds_per(run.member("time_unit"));
  Runs& runs = runs_named(all, text_or(run, "run_name", run.member("name").text()));
  (aggregate ? runs.medians : runs.samples).push_back(time);
}

std::vector<Measured> measured_of_google_benchmark(const JsonNode& benchmarks) {
  std::vector<Runs> all;
  for (const JsonNode& run : benchmarks.elements()) add_run(all, run);
  std::vector<Measured> result;
  result.reserve(all.size());
  for (const Runs& runs : all) {
    // The median of the samples is the aggregate, and only they have an interval.
    result.push_back({runs.name, median_estimate(runs.samples.empty() ? runs.medians : runs.samples)});
  }
  return result;
}

}  // namespace

std::vector<Measured> read_measured(const nlohmann::json& document) {
  const JsonNode root(document);
  if (root.find("foldlane_bench")) return measured_of(report_from_json(document));
  if (const auto benchmarks = root.find("benchmarks")) return measured_of_google_benchmark(*benchmarks);
  root.fail("neither a report of foldlane bench nor one of Google Benchmark");
}

}  // namespace foldlane::bench
