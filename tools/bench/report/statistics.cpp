#include "bench/report/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

namespace foldlane::bench {
namespace {

constexpr double kTail = 0.025;  // beyond either end of an interval
constexpr double kOutlier = 3;
constexpr int kResamples = 4000;
constexpr std::uint64_t kSeed = 20;  // any number: it only has to stay the same

std::vector<double> sorted(std::span<const double> samples) {
  if (samples.empty()) throw std::invalid_argument("statistics of no samples");
  std::vector<double> result(samples.begin(), samples.end());
  std::sort(result.begin(), result.end());
  return result;
}

double quantile_of_sorted(const std::vector<double>& samples, double q) {
  const double position = q * static_cast<double>(samples.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, samples.size() - 1);
  return std::lerp(samples[below], samples[above], position - static_cast<double>(below));
}

/// The rank, counted from 1, of the sample that bounds the interval from below: the largest one that n coins
/// stay below, counting heads, with a probability of at most kTail. 0 if there is none. In logarithms,
/// because 2^-n is no double beyond a thousand coins.
std::size_t lower_rank(std::size_t n) {
  const auto coins = static_cast<double>(n);
  double log_probability = -coins * std::log(2.0);
  double cumulated = std::exp(log_probability);
  std::size_t heads = 0;
  while (cumulated <= kTail) {
    const auto shown = static_cast<double>(heads);
    log_probability += std::log((coins - shown) / (shown + 1));
    cumulated += std::exp(log_probability);
    ++heads;
  }
  return heads;
}

std::vector<double> logarithms(std::span<const double> samples) {
  if (samples.empty()) throw std::invalid_argument("statistics of no samples");
  std::vector<double> result;
  result.reserve(samples.size());
  for (const double sample : samples) {
    if (!(sample > 0)) throw std::invalid_argument("geometric mean of a sample that is not positive");
    result.push_back(std::log(sample));
  }
  return result;
}

double mean(const std::vector<double>& samples) {
  return std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
}

/// Means of as many samples drawn with replacement, sorted. Standard distributions differ between libraries,
/// hence the multiplication that maps 32 random bits to an index.
std::vector<double> resampled_means(const std::vector<double>& samples) {
  std::mt19937_64 random(kSeed);
  std::vector<double> means(kResamples);
  for (double& result : means) {
    double sum = 0;
    for (std::size_t i = 0; i < samples.size(); ++i)
      sum += samples[((random() >> 32) * samples.size()) >> 32];
    result = sum / static_cast<double>(samples.size());
  }
  std::sort(means.begin(), means.end());
  return means;
}

}  // namespace

double median(std::span<const double> samples) { return quantile(samples, 0.5); }

double quantile(std::span<const double> samples, double q) {
  if (!(q >= 0 && q <= 1)) throw std::invalid_argument("a quantile is between 0 and 1");
  return quantile_of_sorted(sorted(samples), q);
}

Estimate median_estimate(std::span<const double> samples) {
  const std::vector<double> ascending = sorted(samples);
  const std::size_t first = std::max<std::size_t>(lower_rank(ascending.size()), 1) - 1;
  return {quantile_of_sorted(ascending, 0.5), ascending[first], ascending[ascending.size() - 1 - first]};
}

Estimate drifting_median_estimate(std::span<const double> in_order) {
  constexpr std::size_t kStretches = 10;
  if (in_order.size() <= kStretches) return median_estimate(in_order);
  std::vector<double> medians;
  for (std::size_t i = 0; i < kStretches; ++i) {
    const std::size_t begin = i * in_order.size() / kStretches, end = (i + 1) * in_order.size() / kStretches;
    medians.push_back(median(in_order.subspan(begin, end - begin)));
  }
  return median_estimate(medians);
}

double geometric_mean(std::span<const double> samples) { return std::exp(mean(logarithms(samples))); }

Estimate geometric_mean_estimate(std::span<const double> samples) {
  const std::vector<double> logs = logarithms(samples);
  const std::vector<double> means = resampled_means(logs);
  const double value = mean(logs);
  // Sums of the same numbers in another order differ in the last bit; the value must lie inside nevertheless.
  const double low = std::min(value, quantile_of_sorted(means, kTail));
  const double high = std::max(value, quantile_of_sorted(means, 1 - kTail));
  return {std::exp(value), std::exp(low), std::exp(high)};
}

std::uint64_t count_outliers(std::span<const double> samples) {
  const double bound = kOutlier * median(samples);
  return static_cast<std::uint64_t>(
      std::count_if(samples.begin(), samples.end(), [&](double sample) { return sample > bound; }));
}

double relative_half_width(const Estimate& estimate) {
  if (estimate.high == estimate.low) return 0;  // also where the value is 0
  return (estimate.high - estimate.low) / 2 / estimate.value;
}

bool overlap(const Estimate& a, const Estimate& b) { return a.low <= b.high && b.low <= a.high; }

}  // namespace foldlane::bench
