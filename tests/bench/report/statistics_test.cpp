// The statistics against closed forms and against samples of known distributions.
#include "bench/report/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

namespace foldlane::bench {
namespace {

using Samples = std::vector<double>;
using Random = std::mt19937_64;

/// 1, 2, … n, so that a sample is its own rank; the largest first, so that somebody has to sort.
Samples ranks(std::size_t n) {
  Samples result(n);
  std::iota(result.rbegin(), result.rend(), 1.0);
  return result;
}

TEST(Statistics, MedianIsTheMiddleOrBetweenTheTwoMiddleOnes) {
  EXPECT_EQ(median(Samples{7}), 7);
  EXPECT_EQ(median(Samples{4, 1}), 2.5);
  EXPECT_EQ(median(Samples{9, 1, 2}), 2);
  EXPECT_EQ(median(Samples{100, 3, 1, 4}), 3.5);
}

TEST(Statistics, QuantileInterpolates) {
  const Samples samples{40, 10, 20, 30, 50};
  EXPECT_EQ(quantile(samples, 0), 10);
  EXPECT_EQ(quantile(samples, 0.25), 20);
  EXPECT_DOUBLE_EQ(quantile(samples, 0.1), 14);
  EXPECT_DOUBLE_EQ(quantile(samples, 0.99), 49.6);
  EXPECT_EQ(quantile(samples, 1), 50);
  EXPECT_EQ(quantile(Samples{3}, 0.99), 3);
}

TEST(Statistics, QuantileOutsideItsRangeIsRefused) {
  EXPECT_THROW(quantile(Samples{1, 2}, -0.01), std::invalid_argument);
  EXPECT_THROW(quantile(Samples{1, 2}, 1.01), std::invalid_argument);
  EXPECT_THROW(quantile(Samples{1, 2}, std::numeric_limits<double>::quiet_NaN()), std::invalid_argument);
}

TEST(Statistics, NoSamplesAreRefused) {
  const Samples none;
  EXPECT_THROW(median(none), std::invalid_argument);
  EXPECT_THROW(quantile(none, 0.5), std::invalid_argument);
  EXPECT_THROW(median_estimate(none), std::invalid_argument);
  EXPECT_THROW(geometric_mean(none), std::invalid_argument);
  EXPECT_THROW(geometric_mean_estimate(none), std::invalid_argument);
  EXPECT_THROW(count_outliers(none), std::invalid_argument);
}

struct Ranks {
  std::size_t samples, low, high;
};

/// Derived outside of this program, with binomial coefficients as exact integers: the largest rank k with
/// 40 * (C(n,0) + … + C(n,k-1)) <= 2^n.
constexpr Ranks kRanks[] = {{6, 1, 6},
                            {7, 1, 7},
                            {8, 1, 8},
                            {9, 2, 8},
                            {10, 2, 9},
                            {11, 2, 10},
                            {12, 3, 10},
                            {15, 4, 12},
                            {17, 5, 13},
                            {20, 6, 15},
                            {25, 8, 18},
                            {30, 10, 21},
                            {50, 18, 33},
                            {100, 40, 61},
                            {1000, 469, 532},
                            {10000, 4902, 5099},
                            {100000, 49690, 50311}};

TEST(MedianEstimate, LiesBetweenTheRanksOfTheBinomialDistribution) {
  for (const Ranks& expected : kRanks) {
    const Estimate estimate = median_estimate(ranks(expected.samples));
    EXPECT_EQ(estimate.value, static_cast<double>(expected.samples + 1) / 2) << expected.samples;
    EXPECT_EQ(estimate.low, static_cast<double>(expected.low)) << expected.samples;
    EXPECT_EQ(estimate.high, static_cast<double>(expected.high)) << expected.samples;
  }
}

TEST(MedianEstimate, IsTheRangeBelowSixSamples) {
  EXPECT_EQ(median_estimate(ranks(1)), (Estimate{1, 1, 1}));
  EXPECT_EQ(median_estimate(ranks(2)), (Estimate{1.5, 1, 2}));
  EXPECT_EQ(median_estimate(ranks(5)), (Estimate{3, 1, 5}));
}

TEST(MedianEstimate, HoldsWithTies) {
  EXPECT_EQ(median_estimate(Samples(40, 2.5)), (Estimate{2.5, 2.5, 2.5}));
  // A clock of coarse ticks: ranks 6 and 15 of 20.
  EXPECT_EQ(median_estimate(Samples{1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3}),
            (Estimate{2, 1, 3}));
}

/// Shifts and powers of two are exact in binary, so equality may be asked for.
TEST(MedianEstimate, FollowsShiftAndScale) {
  const Samples samples{5, 3, 8, 1, 9, 12, 7, 30, 2, 6, 4};
  const Estimate plain = median_estimate(samples);
  Samples moved;
  for (const double sample : samples) moved.push_back(4 * sample + 16);
  EXPECT_EQ(median_estimate(moved),
            (Estimate{4 * plain.value + 16, 4 * plain.low + 16, 4 * plain.high + 16}));
}

struct Distribution {
  const char* name;
  double median;
  std::function<double(Random&)> draw;
};

double bimodal(Random& random) {
  const double centre = std::uniform_real_distribution<>()(random) < 0.6 ? 0 : 10;
  return std::normal_distribution<>(centre, 1)(random);
}

const Distribution kDistributions[] = {
    {"normal", 3, [](Random& random) { return std::normal_distribution<>(3, 2)(random); }},
    {"exponential", std::log(2.0), [](Random& random) { return std::exponential_distribution<>()(random); }},
    // 0.6 Phi(x) = 0.5, the other hill being too far away to matter.
    {"bimodal", 0.9674216, bimodal},
};

Samples draw(const Distribution& distribution, std::size_t n, Random& random) {
  Samples result(n);
  for (double& sample : result) sample = distribution.draw(random);
  return result;
}

/// The exact coverage is 95.7 to 96.5 % for these numbers of samples; more than 98 % would be too wide.
TEST(MedianEstimate, EnclosesTheTrueMedianAsOftenAsItSays) {
  constexpr int kRepetitions = 4000;
  Random random(1);
  for (const Distribution& distribution : kDistributions) {
    for (const std::size_t samples : {12u, 25u, 100u}) {
      int enclosed = 0;
      for (int i = 0; i < kRepetitions; ++i) {
        const Estimate estimate = median_estimate(draw(distribution, samples, random));
        if (estimate.low <= distribution.median && distribution.median <= estimate.high) ++enclosed;
      }
      EXPECT_GE(enclosed, kRepetitions * 94 / 100) << distribution.name << ' ' << samples;
      EXPECT_LE(enclosed, kRepetitions * 98 / 100) << distribution.name << ' ' << samples;
    }
  }
}

TEST(GeometricMean, IsTheRootOfTheProduct) {
  EXPECT_DOUBLE_EQ(geometric_mean(Samples{2, 8}), 4);
  EXPECT_DOUBLE_EQ(geometric_mean(Samples{1, 10, 100}), 10);
  EXPECT_DOUBLE_EQ(geometric_mean(Samples{0.5, 2}), 1);
  EXPECT_NEAR(geometric_mean(Samples(400, 1e300)), 1e300, 1e289);  // the product is no double
}

TEST(GeometricMean, RefusesWhatIsNotPositive) {
  EXPECT_THROW(geometric_mean(Samples{1, 0}), std::invalid_argument);
  EXPECT_THROW(geometric_mean(Samples{1, -2}), std::invalid_argument);
  EXPECT_THROW(geometric_mean_estimate(Samples{1, 0}), std::invalid_argument);
  EXPECT_THROW(geometric_mean(Samples{std::numeric_limits<double>::quiet_NaN()}), std::invalid_argument);
}

Samples log_normal(std::size_t n, Random& random) {
  Samples result(n);
  for (double& sample : result) sample = std::lognormal_distribution<>(1, 0.5)(random);
  return result;
}

/// For many samples the interval is that of the central limit theorem: mean +- 1.96 deviations / sqrt(n).
TEST(GeometricMeanEstimate, ApproachesTheNormalInterval) {
  Random random(2);
  const Samples samples = log_normal(500, random);
  double sum = 0, squares = 0;
  for (const double sample : samples) sum += std::log(sample);
  const double mean = sum / 500;
  for (const double sample : samples) squares += std::pow(std::log(sample) - mean, 2);
  const double half = 1.959964 * std::sqrt(squares / 499 / 500);
  const Estimate estimate = geometric_mean_estimate(samples);
  EXPECT_DOUBLE_EQ(estimate.value, geometric_mean(samples));
  EXPECT_NEAR(std::log(estimate.low), mean - half, 0.08 * half);
  EXPECT_NEAR(std::log(estimate.high), mean + half, 0.08 * half);
}

TEST(GeometricMeanEstimate, EnclosesTheTrueMeanAsOftenAsItSays) {
  constexpr int kRepetitions = 300;
  Random random(3);
  int enclosed = 0;
  for (int i = 0; i < kRepetitions; ++i) {
    const Estimate estimate = geometric_mean_estimate(log_normal(30, random));
    if (estimate.low <= std::exp(1.0) && std::exp(1.0) <= estimate.high) ++enclosed;
  }
  EXPECT_GE(enclosed, kRepetitions * 92 / 100);
  EXPECT_LE(enclosed, kRepetitions * 98 / 100);
}

TEST(GeometricMeanEstimate, IsTheSameEveryTimeAndFollowsScale) {
  const Samples samples{1.1, 0.9, 1.3, 0.7, 1.05, 2};
  Samples scaled;
  for (const double sample : samples) scaled.push_back(10 * sample);
  const Estimate plain = geometric_mean_estimate(samples);
  const Estimate ten_times = geometric_mean_estimate(scaled);
  EXPECT_EQ(plain, geometric_mean_estimate(samples));
  EXPECT_DOUBLE_EQ(ten_times.value, 10 * plain.value);
  EXPECT_DOUBLE_EQ(ten_times.low, 10 * plain.low);
  EXPECT_DOUBLE_EQ(ten_times.high, 10 * plain.high);
}

TEST(GeometricMeanEstimate, EnclosesItsValueEvenIfAllAreEqual) {
  const Samples samples(7, 0.1);
  const Estimate estimate = geometric_mean_estimate(samples);
  EXPECT_LE(estimate.low, estimate.value);
  EXPECT_GE(estimate.high, estimate.value);
  EXPECT_NEAR(estimate.low, 0.1, 1e-15);
  EXPECT_NEAR(estimate.high, 0.1, 1e-15);
}

TEST(Outliers, AreBeyondThreeTimesTheMedian) {
  EXPECT_EQ(count_outliers(Samples{1, 1, 2, 2, 3.01, 6, 6}), 0u);
  EXPECT_EQ(count_outliers(Samples{1, 1, 1, 1, 3, 3.01, 100}), 2u);
}

TEST(Estimates, RelativeHalfWidth) {
  EXPECT_DOUBLE_EQ(relative_half_width({10, 9, 12}), 0.15);
  EXPECT_EQ(relative_half_width({5, 5, 5}), 0);
  EXPECT_EQ(relative_half_width({0, 0, 0}), 0);
}

TEST(Estimates, OverlapIncludesTheEnds) {
  EXPECT_TRUE(overlap({2, 1, 3}, {4, 3, 5}));
  EXPECT_TRUE(overlap({4, 3, 5}, {2, 1, 3}));
  EXPECT_TRUE(overlap({5, 1, 9}, {4, 4, 4}));
  EXPECT_TRUE(overlap({4, 4, 4}, {5, 1, 9}));
  EXPECT_FALSE(overlap({2, 1, 3}, {4, 3.5, 5}));
  EXPECT_FALSE(overlap({4, 3.5, 5}, {2, 1, 3}));
}

TEST(DriftingMedian, CountsStretchesNotSamples) {
  // The machine is in one state for 70 % of the time and in another for the rest.
  std::vector<double> samples(700, 1.0);
  samples.insert(samples.end(), 300, 3.0);
  EXPECT_EQ(median_estimate(samples), (Estimate{1, 1, 1}));
  EXPECT_EQ(drifting_median_estimate(samples), (Estimate{1, 1, 3}));
}

TEST(DriftingMedian, IsThePlainOneOfFewSamples) {
  const std::vector<double> samples{5, 1, 4, 2, 3, 9, 7, 8, 6, 10};
  EXPECT_EQ(drifting_median_estimate(samples), median_estimate(samples));
}

TEST(DriftingMedian, TakesEverySampleOnce) {
  std::vector<double> samples;
  for (int i = 0; i < 13; ++i) samples.push_back(i);
  const Estimate estimate = drifting_median_estimate(samples);
  EXPECT_GE(estimate.value, 5);
  EXPECT_LE(estimate.value, 7);
  EXPECT_LT(estimate.low, estimate.value);
  EXPECT_GT(estimate.high, estimate.value);
}

}  // namespace
}  // namespace foldlane::bench
