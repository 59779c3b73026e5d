#include "bench/measure/verdict.hpp"

#include <algorithm>

#include "bench/report/statistics.hpp"

namespace foldlane::bench {
namespace {

/// Without samples nothing becomes narrower.
bool is_narrow(const std::vector<double>& samples, double half_width) {
  return samples.empty() || relative_half_width(drifting_median_estimate(samples)) <= half_width;
}

}  // namespace

std::vector<double> ratios_of(const Rounds& one, const Rounds& other) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < std::min(one.size(), other.size()); ++i) ratios.push_back(one[i] / other[i]);
  return ratios;
}

bool is_hopeless(const Rounds& peer, const Rounds& ours, const Effort& effort) {
  constexpr double kHopeless = 50;  // no disturbance is that long
  const std::vector<double> ratios = ratios_of(peer, ours);
  return !ratios.empty() && *std::min_element(ratios.begin(), ratios.end()) > kHopeless * effort.lost_above;
}

bool has_lost(const Rounds& peer, const Rounds& ours, const Effort& effort) {
  if (is_hopeless(peer, ours, effort)) return true;
  const std::vector<double> ratios = ratios_of(peer, ours);
  return ratios.size() >= kFewestSamples && drifting_median_estimate(ratios).low > effort.lost_above;
}

bool is_settled(const Rounds& ours, const std::vector<Rounds>& peers, const Effort& effort) {
  const auto lost = [&](const Rounds& peer) { return has_lost(peer, ours, effort); };
  if (!peers.empty() && std::all_of(peers.begin(), peers.end(), lost)) return true;
  return is_narrow(ours, effort.half_width) &&
         std::all_of(peers.begin(), peers.end(), [&](const Rounds& peer) {
           return lost(peer) || is_narrow(ratios_of(peer, ours), 2 * effort.half_width);
         });
}

}  // namespace foldlane::bench
