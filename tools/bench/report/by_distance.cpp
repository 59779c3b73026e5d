#include "bench/report/by_distance.hpp"

#include <algorithm>
#include <vector>

#include "bench/report/statistics.hpp"

namespace foldlane::bench {
namespace {

std::optional<Estimate> estimate_of(const std::vector<double>& ratios) {
  if (ratios.size() < kFewestSamples) return std::nullopt;
  return drifting_median_estimate(ratios);
}

}  // namespace

ByDistance by_distance(std::span<const double> ratios, std::span<const double> handoffs) {
  std::vector<double> near, far;
  for (std::size_t round = 0; round < std::min(ratios.size(), handoffs.size()); ++round)
    (handoffs[round] < kNearHandoff ? near : far).push_back(ratios[round]);
  return {estimate_of(near), estimate_of(far)};
}

}  // namespace foldlane::bench
