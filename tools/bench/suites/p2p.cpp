#include "bench/suites/p2p.hpp"

#include <algorithm>

#include "bench/report/pattern.hpp"
#include "bench/report/statistics.hpp"

namespace foldlane::bench {
namespace {

struct Ratios {
  std::string call;
  std::vector<double> small, large;
};

Ratios& ratios_of(std::vector<Ratios>& all, const std::string& call) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Ratios& one) { return one.call == call; });
  return found == all.end() ? all.emplace_back(Ratios{call, {}, {}}) : *found;
}

std::optional<Estimate> mean_of(const std::vector<double>& ratios) {
  if (ratios.empty()) return std::nullopt;
  return geometric_mean_estimate(ratios);
}

/// Ratios compare the same rounds; times only where there are none of ours.
double rank_of(const BestPeer& peer) { return peer.ratio ? peer.ratio->value : peer.time; }

}  // namespace

std::optional<BestPeer> best_peer_of(const CaseResult& result) {
  std::optional<BestPeer> best;
  for (const Figure& figure : result.figures) {
    if (figure.who == "foldlane") continue;
    const BestPeer peer{figure.who, figure.options, figure.time.value, figure.against};
    if (!best || rank_of(peer) < rank_of(*best)) best = peer;
  }
  return best;
}

std::vector<SizeMeans> means_by_size(const Report& report) {
  std::vector<Ratios> all;
  for (const CaseResult& result : report.cases) {
    const std::optional<BestPeer> best = best_peer_of(result);
    if (!is_pattern(result.what.call) || !best || !best->ratio) continue;
    Ratios& ratios = ratios_of(all, result.what.call);
    (result.what.bytes <= kSmallMessage ? ratios.small : ratios.large).push_back(best->ratio->value);
  }
  std::vector<SizeMeans> means;
  for (const Ratios& one : all) means.push_back({one.call, mean_of(one.small), mean_of(one.large)});
  return means;
}

}  // namespace foldlane::bench
