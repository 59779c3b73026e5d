#include "bench/suites/under.hpp"

#include <algorithm>

#include "bench/report/groups.hpp"
#include "bench/report/statistics.hpp"

namespace foldlane::bench {
namespace {

/// Of one call under one host, by its cases.
struct RatiosOfCall {
  std::string call;
  std::vector<double> gains, overheads;
  double added_us;
  std::uint64_t smallest_bytes;
};

void add(std::vector<RatiosOfCall>& all, const CaseResult& result, const std::string& host) {
  const Figure* const ours = own_figure(result);
  const Figure* const without = figure_of(result, host);
  const Figure* const with = figure_of(result, accelerated_name(host));
  if (ours == nullptr || without == nullptr || with == nullptr || !without->against || !with->against) return;
  const double added = ours->time.value * (with->against->value - 1);
  auto found = std::find_if(all.begin(), all.end(),
                            [&](const RatiosOfCall& one) { return one.call == result.what.call; });
  if (found == all.end()) found = all.insert(all.end(), {result.what.call, {}, {}, added, result.what.bytes});
  if (result.what.bytes < found->smallest_bytes) {
    found->added_us = added;
    found->smallest_bytes = result.what.bytes;
  }
  found->gains.push_back(without->against->value / with->against->value);
  found->overheads.push_back(with->against->value);
}

}  // namespace

std::string accelerated_name(const std::string& host) { return host + "+foldlane"; }

std::vector<UnderMean> under_means(const Report& report) {
  std::vector<UnderMean> means;
  for (const Peer& host : report.peers) {
    std::vector<RatiosOfCall> all;
    for (const CaseResult& result : report.cases) add(all, result, host.name);
    for (const RatiosOfCall& one : all)
      means.push_back({host.name, one.call, geometric_mean_estimate(one.gains),
                       geometric_mean_estimate(one.overheads), one.added_us * 1000});
  }
  return means;
}

}  // namespace foldlane::bench
