#include "bench/measure/overlap.hpp"

#include <algorithm>

#include "bench/report/statistics.hpp"

namespace foldlane::bench {
namespace {

constexpr double kTestEveryUs = 100;
constexpr double kLateUs = 2000;

double late_us(const Case& what) { return what.beside == Beside::late ? kLateUs : 0; }

}  // namespace

double longest_us(const Case& what, double alone) {
  return what.beside == Beside::nothing ? alone : 2 * (alone + late_us(what));
}

double hidden_percent(double alone, double computing, double both) {
  const double shorter = std::min(alone, computing);
  return shorter <= 0 ? 0 : std::clamp(100 * (alone + computing - both) / shorter, 0.0, 100.0);
}

Overlapped run_overlapped(Contestant& contestant, const Case& what, int warm_up, int calls) {
  const double late = late_us(what);
  const auto slice_with = [&](const Load& load) {
    contestant.load(load);
    return contestant.run(warm_up, calls, what.timing);
  };
  const double alone = median(slice_with({.late_us = late}).times);
  const Load computing{.communicates = false, .compute_us = alone, .late_us = late};
  const Load both{.compute_us = alone,
                  .test_every_us = what.beside == Beside::no_calls ? 0 : kTestEveryUs,
                  .late_us = late};
  return {alone, median(slice_with(computing).times), slice_with(both)};
}

}  // namespace foldlane::bench
