// The logarithmic axes of a chart, and where labels go that would otherwise overlap.
#pragma once

#include <vector>

namespace foldlane::bench {

/// 0 < low < high
struct Axis {
  double low = 1;
  double high = 2;
  std::vector<double> ticks;  // to be labelled
  std::vector<double> minor;  // hairlines without a label

  /// From 0 at low to 1 at high; beyond for values outside.
  double share(double value) const;
};

/// The range of a chart's sizes, exactly; ticks at powers of two, at most `most_ticks` (two or more).
Axis size_axis(double least, double largest, int most_ticks);

/// Holds both values and ends at one, two or five times a power of ten.
Axis value_axis(double least, double largest);

/// Positions next to the wanted ones, in the same order, at least `gap` apart and within [low, high] if there
/// is room for all. Labels that touch move as one, so that none is far from its line.
std::vector<double> spread(const std::vector<double>& wanted, double gap, double low, double high);

}  // namespace foldlane::bench
