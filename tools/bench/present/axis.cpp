#include "bench/present/axis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace foldlane::bench {
namespace {

constexpr double kRounding = 1e-9;  // relative; what powers computed in floating point may be off by

/// Powers of two that are whole powers of 2^step: with a step of 10 they are 1 KiB, 1 MiB, …
std::vector<double> powers_of_two(double least, double largest, int step) {
  std::vector<double> powers;
  const int last = static_cast<int>(std::floor(std::log2(largest) + kRounding));
  for (int i = static_cast<int>(std::ceil(std::log2(least) - kRounding)); i <= last; ++i) {
    if (i % step == 0) {
      powers.push_back(std::ldexp(1.0, i));
    }
  }
  return powers;
}

/// 1, 2, 5, 10, 20 … times a power of ten, from the last one below `least` to the first one above `largest`.
std::vector<double> round_values(double least, double largest) {
  std::vector<double> values;
  const int first = static_cast<int>(std::floor(std::log10(least))) - 1;
  const int last = static_cast<int>(std::ceil(std::log10(largest))) + 1;
  for (int power = first; power <= last; ++power) {
    for (const int factor : {1, 2, 5}) {
      // Not factor * 10^power: 10^-1 has no exact value, 5 / 10 has.
      const double scale = std::pow(10, std::abs(power));
      values.push_back(power < 0 ? factor / scale : factor * scale);
    }
  }
  const auto above = [&](double value) { return value > least * (1 + kRounding); };
  const auto begin = std::find_if(values.begin(), values.end(), above) - 1;
  const auto at_least = [&](double value) { return value >= largest * (1 - kRounding) && value > *begin; };
  const auto end = std::find_if(begin, values.end(), at_least) + 1;
  return {begin, end};
}

bool is_power_of_ten(double value) {
  const double power = std::log10(value);
  return std::abs(power - std::round(power)) < kRounding;
}

/// Neighbours that share one position, before their distances are added.
struct Cluster {
  double sum = 0;
  std::size_t members = 0;
  double mean() const { return sum / static_cast<double>(members); }
};

}  // namespace

double Axis::share(double value) const { return std::log(value / low) / std::log(high / low); }

Axis size_axis(double least, double largest, int most_ticks) {
  Axis axis{least, largest, {}, {}};
  if (least == largest) {
    axis = {least / 2, largest * 2, {least}, {}};
    return axis;
  }
  for (const int step : {1, 2, 4, 10, 20}) {
    axis.ticks = powers_of_two(least, largest, step);
    if (axis.ticks.size() <= static_cast<std::size_t>(most_ticks)) {
      break;
    }
  }
  if (axis.ticks.size() < 2) {
    axis.ticks = {least, largest};
  }
  return axis;
}

Axis value_axis(double least, double largest) {
  const std::vector<double> values = round_values(least, largest);
  Axis axis{values.front(), values.back(), {}, {}};
  const bool many = axis.high / axis.low > 101;
  for (const double value : values) {
    (many && !is_power_of_ten(value) ? axis.minor : axis.ticks).push_back(value);
  }
  return axis;
}

std::vector<double> spread(const std::vector<double>& wanted, double gap, double low, double high) {
  std::vector<std::size_t> order(wanted.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return wanted[a] < wanted[b]; });
  // With every label moved back by the room its predecessors need, "apart" becomes "in order", which pooling
  // neighbours that are out of order gives with the least movement.
  std::vector<Cluster> clusters;
  for (std::size_t i = 0; i < order.size(); ++i) {
    clusters.push_back({wanted[order[i]] - gap * static_cast<double>(i), 1});
    while (clusters.size() > 1 && clusters.back().mean() < clusters[clusters.size() - 2].mean()) {
      const Cluster last = clusters.back();
      clusters.pop_back();
      clusters.back().sum += last.sum;
      clusters.back().members += last.members;
    }
  }
  const double room = std::max(low, high - gap * static_cast<double>(wanted.size() - 1));
  std::vector<double> positions(wanted.size());
  std::size_t i = 0;
  for (const Cluster& cluster : clusters) {
    for (std::size_t member = 0; member < cluster.members; ++member, ++i) {
      positions[order[i]] = std::clamp(cluster.mean(), low, room) + gap * static_cast<double>(i);
    }
  }
  return positions;
}

}  // namespace foldlane::bench
