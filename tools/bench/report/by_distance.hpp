// Near and far rounds of a run, told apart by the handoff that was measured beside each.
#pragma once

#include <span>

#include "bench/report/report.hpp"

namespace foldlane::bench {

/// Microseconds. Cores that share a cache stay below it, others above.
inline constexpr double kNearHandoff = 0.08;

/// The medians of the ratios of near and of far rounds; `handoffs` of the same rounds, in the same order. No
/// estimate of fewer than six rounds, which promise no interval.
ByDistance by_distance(std::span<const double> ratios, std::span<const double> handoffs);

}  // namespace foldlane::bench
