#include "bench/suites/never_slower.hpp"

#include <algorithm>
#include <optional>

#include "bench/report/case_name.hpp"
#include "bench/report/statistics.hpp"

namespace foldlane::bench {
namespace {

constexpr double kDecidedHalfWidth = 0.03;

using RatioOf = std::optional<Estimate> (*)(const Figure&);

struct CallRatios {
  std::string call;
  std::vector<double> ratios;
};

/// The peer whose ratio is the smallest, of those that have one.
std::optional<Contest> contest_of(const CaseResult& result, RatioOf ratio_of) {
  std::optional<Contest> best;
  for (const Figure& figure : result.figures) {
    const std::optional<Estimate> ratio = ratio_of(figure);
    if (ratio && (!best || ratio->value < best->ratio.value))
      best = Contest{name_of(result.what), figure.who, figure.options, *ratio, figure.against_is_rough};
  }
  return best;
}

bool is_slower(const Contest& contest) { return contest.ratio.high < 1 && !contest.is_rough; }

bool is_blurred(const Contest& contest) {
  return contest.is_rough || relative_half_width(contest.ratio) > kDecidedHalfWidth;
}

bool is_undecided(const Contest& contest) {
  return contest.ratio.low < 1 && !is_slower(contest) && is_blurred(contest);
}

bool is_wide(const Contest& contest) { return contest.ratio.low >= 1 && is_blurred(contest); }

std::vector<double>& ratios_of(std::vector<CallRatios>& calls, const std::string& call) {
  const auto found =
      std::find_if(calls.begin(), calls.end(), [&](const auto& one) { return one.call == call; });
  return found == calls.end() ? calls.emplace_back(CallRatios{call, {}}).ratios : found->ratios;
}

void sort_worst_first(std::vector<Contest>& contests) {
  std::stable_sort(contests.begin(), contests.end(),
                   [](const Contest& a, const Contest& b) { return a.ratio.value < b.ratio.value; });
}

Tally tally_of(const Report& report, RatioOf ratio_of) {
  Tally tally;
  std::vector<CallRatios> calls;
  for (const CaseResult& result : report.cases) {
    const std::optional<Contest> contest = contest_of(result, ratio_of);
    if (!contest) continue;
    ++tally.compared;
    if (is_slower(*contest)) tally.slower.push_back(*contest);
    if (is_undecided(*contest)) tally.undecided.push_back(*contest);
    if (is_wide(*contest)) tally.wide.push_back(*contest);
    ratios_of(calls, result.what.call).push_back(contest->ratio.value);
  }
  sort_worst_first(tally.slower);
  sort_worst_first(tally.undecided);
  sort_worst_first(tally.wide);
  for (const CallRatios& call : calls)
    tally.means.push_back({call.call, geometric_mean_estimate(call.ratios)});
  return tally;
}

}  // namespace

NeverSlower never_slower(const Report& report) {
  return {.cases = report.cases.size(),
          .all = tally_of(report, [](const Figure& figure) { return figure.against; }),
          .near = tally_of(report, [](const Figure& figure) { return figure.against_by_distance.near; }),
          .far = tally_of(report, [](const Figure& figure) { return figure.against_by_distance.far; })};
}

bool is_passed(const NeverSlower& found) { return found.all.compared > 0 && found.all.slower.empty(); }

}  // namespace foldlane::bench
