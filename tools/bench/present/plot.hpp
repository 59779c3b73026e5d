// What a chart draws and where: its series, the frame of the plot, the axes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "bench/present/axis.hpp"
#include "bench/present/chart.hpp"

namespace foldlane::bench {

// In units of the view box, which a page scales: small, so that a phone's width still leaves legible letters.
constexpr double kWidth = 480;
constexpr double kHeight = 320;
constexpr double kTop = 50;
constexpr double kBottom = 288;
// Six looks (chart.css has their colours and dashes), the first one kept for Foldlane.
constexpr std::size_t kLooks = 6;

/// A series as it is drawn.
struct Trace {
  std::string name;
  std::string looks;  // its CSS classes
  std::size_t shape = 0;
  bool is_limit = false;
  std::vector<Point> points;
};

/// In the order of drawing: limits below, Foldlane on top. Without those that have no point.
std::vector<Trace> traces_of(const Chart& chart);

/// Where the plot lies in the picture, and its axes.
struct Frame {
  double left = 0;
  double right = 0;
  Axis sizes;
  Axis values;

  double x(double bytes) const { return left + 8 + sizes.share(bytes) * (right - left - 16); }
  double y(double value) const { return kBottom - values.share(value) * (kBottom - kTop); }
};

Frame frame_of(const std::vector<Trace>& traces);

/// As much of a name as fits beside the plot: its last letters tell paths and versions apart.
std::string shortened(const std::string& name);

}  // namespace foldlane::bench
