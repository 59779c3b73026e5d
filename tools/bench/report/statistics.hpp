// The statistics of all figures: medians and geometric means with intervals that assume no distribution.
#pragma once

#include <cstdint>
#include <span>

#include "bench/report/report.hpp"

namespace foldlane::bench {

// Everything here throws std::invalid_argument if there are no samples.

double median(std::span<const double> samples);

/// The value below which the share q (0 to 1) of the samples lies, interpolated between neighbours.
double quantile(std::span<const double> samples, double q);

/// Fewer have no interval of 95 %.
inline constexpr std::size_t kFewestSamples = 6;

/// The median between the two samples that enclose the true one with a probability of at least 95 %, whatever
/// the distribution: each sample is below it as often as a coin shows heads. Fewer than six samples cannot
/// promise that; theirs is the whole range, which is narrower than it should be (94 % with five samples, 50 %
/// with two, a single point with one).
Estimate median_estimate(std::span<const double> samples);

/// The same for samples in the order of time on a machine that drifts: neighbours resemble each other and are
/// no independent witnesses. Ten stretches of the series testify instead, each by its median; fewer than ten
/// samples testify each for itself.
Estimate drifting_median_estimate(std::span<const double> in_order);

/// Of positive samples; throws std::invalid_argument at any other.
double geometric_mean(std::span<const double> samples);

/// The interval is that of means of logarithms drawn again from the samples (bootstrap, percentiles). The
/// draws are the same in every run. It is somewhat narrow below a dozen samples.
Estimate geometric_mean_estimate(std::span<const double> samples);

/// How many samples lie beyond three times the median.
std::uint64_t count_outliers(std::span<const double> samples);

/// Half the interval's width as a share of the value.
double relative_half_width(const Estimate& estimate);

/// Whether some value lies in both intervals, ends included.
bool overlap(const Estimate& a, const Estimate& b);

}  // namespace foldlane::bench
