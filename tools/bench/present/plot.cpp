#include "bench/present/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "bench/present/markup.hpp"

namespace foldlane::bench {
namespace {

constexpr double kLetter = 7.2;    // labels are not wider than this on average
constexpr double kTickWidth = 52;  // "256 KiB" and some space
constexpr std::size_t kLongestName = 16;

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = 0;

  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

bool is_drawable(const Point& point) {
  return point.x > 0 && point.y > 0 && std::isfinite(point.x) && std::isfinite(point.y);
}

/// An interval that cannot be drawn is drawn as none.
Point with_drawable_interval(Point point) {
  point.low = point.low > 0 ? std::min(point.low, point.y) : point.y;
  point.high = std::isfinite(point.high) ? std::max(point.high, point.y) : point.y;
  return point;
}

std::vector<Point> drawable(const std::vector<Point>& points) {
  std::vector<Point> kept;
  for (const Point& point : points) {
    if (is_drawable(point)) {
      kept.push_back(with_drawable_interval(point));
    }
  }
  return kept;
}

/// All that was measured, and as much of the limits as leaves room for it.
Range range_of_values(const std::vector<Trace>& traces) {
  Range measured;
  Range limits;
  for (const Trace& trace : traces) {
    for (const Point& point : trace.points) {
      (trace.is_limit ? limits : measured).include(trace.is_limit ? point.y : point.low);
      (trace.is_limit ? limits : measured).include(trace.is_limit ? point.y : point.high);
    }
  }
  if (measured.high == 0) {
    return limits;
  }
  if (limits.high == 0) {
    return measured;
  }
  constexpr double kRoom = 3;
  return {std::min(measured.low, std::max(limits.low, measured.low / kRoom)),
          std::max(measured.high, std::min(limits.high, measured.high * kRoom))};
}

/// Of UTF-8, whose continuation bytes begin with the bits 10.
bool begins_letter(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

std::size_t letters_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_letter));
}

}  // namespace

std::vector<Trace> traces_of(const Chart& chart) {
  std::vector<Trace> traces;
  std::size_t others = 0;
  for (const Series& series : chart.series) {
    const bool ours = series.name == "foldlane" && !series.is_limit;
    const std::size_t look = ours ? 0 : 1 + (series.is_limit ? 0 : others++) % (kLooks - 1);
    traces.push_back({series.name, series.is_limit ? "limit" : fmt::format("series s{}", look), look,
                      series.is_limit, drawable(series.points)});
  }
  std::erase_if(traces, [](const Trace& trace) { return trace.points.empty(); });
  const auto height = [](const Trace& trace) { return trace.is_limit ? 0 : trace.shape == 0 ? 2 : 1; };
  std::stable_sort(traces.begin(), traces.end(),
                   [&](const Trace& a, const Trace& b) { return height(a) < height(b); });
  return traces;
}

std::string shortened(const std::string& name) {
  if (name.size() <= kLongestName) {
    return name;
  }
  std::size_t begin = name.size() - kLongestName + 1;
  while (begin < name.size() && !begins_letter(name[begin])) {
    ++begin;
  }
  return "…" + name.substr(begin);
}

Frame frame_of(const std::vector<Trace>& traces) {
  Frame frame;
  Range sizes;
  std::size_t longest_name = 0;
  for (const Trace& trace : traces) {
    longest_name = std::max(longest_name, letters_of(shortened(trace.name)));
    for (const Point& point : trace.points) {
      sizes.include(point.x);
    }
  }
  const Range values = range_of_values(traces);
  frame.values = value_axis(values.low, values.high);
  std::size_t longest_tick = 0;
  for (const double tick : frame.values.ticks) {
    longest_tick = std::max(longest_tick, letters_of(tick_text(tick)));
  }
  frame.left = 14 + kLetter * static_cast<double>(longest_tick);
  frame.right = kWidth - 32 - kLetter * static_cast<double>(longest_name);
  frame.sizes = size_axis(sizes.low, sizes.high, static_cast<int>((frame.right - frame.left) / kTickWidth));
  return frame;
}

}  // namespace foldlane::bench
