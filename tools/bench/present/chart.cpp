#include "bench/present/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <string_view>

#include "bench/present/axis.hpp"
#include "bench/present/markup.hpp"
#include "bench/present/styles.hpp"

namespace foldlane::bench {
namespace {

// In units of the view box, which a page scales: small, so that a phone's width still leaves legible letters.
constexpr double kWidth = 480;
constexpr double kHeight = 320;
constexpr double kTop = 50;
constexpr double kBottom = 288;
constexpr double kLetter = 7.2;    // labels are not wider than this on average
constexpr double kLabelGap = 15;   // between the baselines of labels; their letters are 12 high
constexpr double kMarkRadius = 3;  // and what a mark needs beside the plot's edge
constexpr double kTickWidth = 52;  // "256 KiB" and some space
constexpr std::size_t kLongestName = 16;
// Six looks (chart.css has their colours and dashes), the first one kept for Foldlane.
constexpr std::size_t kLooks = 6;

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = 0;

  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

/// A series as it is drawn.
struct Trace {
  std::string name;
  std::string looks;  // its CSS classes
  std::size_t shape = 0;
  bool is_limit = false;
  std::vector<Point> points;
};

/// Where the plot lies in the picture, and its axes.
struct Frame {
  double left = 0;
  double right = 0;
  Axis sizes;
  Axis values;

  double x(double bytes) const { return left + 8 + sizes.share(bytes) * (right - left - 16); }
  double y(double value) const { return kBottom - values.share(value) * (kBottom - kTop); }
};

struct Label {
  const Trace* trace;
  double x;  // of the line's end
  double y;
};

using Out = std::back_insert_iterator<std::string>;

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

/// In the order of drawing: limits below, Foldlane on top.
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

/// A name's last letters tell paths and versions apart.
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

void draw_grid(Out out, const Frame& frame) {
  const auto line = [&](std::string_view looks, double value) {
    fmt::format_to(out, "<line class=\"{}\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
                   looks, frame.left, frame.right, frame.y(value), frame.y(value));
  };
  for (const double value : frame.values.minor) {
    line("grid minor", value);
  }
  for (const double value : frame.values.ticks) {
    line("grid", value);
    fmt::format_to(out, "<text class=\"tick value\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", frame.left - 8,
                   frame.y(value) + 4, tick_text(value));
  }
  for (const double bytes : frame.sizes.ticks) {
    fmt::format_to(out, "<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\"/>\n",
                   frame.x(bytes), kTop, kBottom + 5);
    fmt::format_to(out, "<text class=\"tick size\" x=\"{:.1f}\" y=\"{}\">{}</text>\n", frame.x(bytes),
                   kBottom + 19, bytes_text(bytes));
  }
  line("base", frame.values.low);
}

/// Told apart without colours: disc, square, triangle, diamond, triangle upside down, cross.
void draw_mark(Out out, std::size_t shape, double x, double y, std::string_view words) {
  static constexpr std::array<std::string_view, kLooks> kOutlines = {
      "m-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0 -6.4 0z",
      "m-2.9 -2.9h5.8v5.8h-5.8z",
      "m0 -3.9l3.7 6.6h-7.4z",
      "m0 -4.1l4.1 4.1l-4.1 4.1l-4.1 -4.1z",
      "m0 3.9l3.7 -6.6h-7.4z",
      "m-1.2 -3.8h2.4v2.6h2.6v2.4h-2.6v2.6h-2.4v-2.6h-2.6v-2.4h2.6z"};
  fmt::format_to(out, "<path class=\"mark\" d=\"M{:.1f} {:.1f}{}\">", x, y, kOutlines[shape]);
  if (!words.empty()) {
    fmt::format_to(out, "<title>{}</title>", escaped(words));
  }
  fmt::format_to(out, "</path>\n");
}

void draw_line(Out out, const Trace& trace, const Frame& frame) {
  fmt::format_to(out, "<polyline class=\"line\" points=\"");
  for (const Point& point : trace.points) {
    fmt::format_to(out, "{:.1f},{:.1f} ", frame.x(point.x), frame.y(point.y));
  }
  fmt::format_to(out, "\"/>\n");
}

void draw_band(Out out, const Trace& trace, const Frame& frame) {
  fmt::format_to(out, "<polygon class=\"band\" points=\"");
  for (const Point& point : trace.points) {
    fmt::format_to(out, "{:.1f},{:.1f} ", frame.x(point.x), frame.y(point.high));
  }
  for (auto point = trace.points.rbegin(); point != trace.points.rend(); ++point) {
    fmt::format_to(out, "{:.1f},{:.1f} ", frame.x(point->x), frame.y(point->low));
  }
  fmt::format_to(out, "\"/>\n");
}

void draw_trace(Out out, const Trace& trace, const Frame& frame) {
  fmt::format_to(out, "<g class=\"{}\">\n", trace.looks);
  if (!trace.is_limit) {
    draw_band(out, trace, frame);
  }
  draw_line(out, trace, frame);
  for (const Point& point : trace.points) {
    if (!trace.is_limit) {
      draw_mark(out, trace.shape, frame.x(point.x), frame.y(point.y),
                fmt::format("{}, {}: {} ({} to {})", trace.name, bytes_text(point.x), figure_text(point.y),
                            figure_text(point.low), figure_text(point.high)));
    }
  }
  fmt::format_to(out, "</g>\n");
}

/// Limits lie in a picture within the picture, which cuts them off at the plot's edges.
void draw_traces(Out out, const std::vector<Trace>& traces, const Frame& frame) {
  fmt::format_to(out,
                 "<svg x=\"{0:.1f}\" y=\"{1}\" width=\"{2:.1f}\" height=\"{3}\" "
                 "viewBox=\"{0:.1f} {1} {2:.1f} {3}\">\n",
                 frame.left, kTop, frame.right - frame.left, kBottom - kTop);
  const auto measured =
      std::find_if_not(traces.begin(), traces.end(), [](const Trace& t) { return t.is_limit; });
  std::for_each(traces.begin(), measured, [&](const Trace& trace) { draw_trace(out, trace, frame); });
  fmt::format_to(out, "</svg>\n");
  std::for_each(measured, traces.end(), [&](const Trace& trace) { draw_trace(out, trace, frame); });
}

/// At the last point that is in the picture; a limit may have none.
std::vector<Label> labels_of(const std::vector<Trace>& traces, const Frame& frame) {
  std::vector<Label> labels;
  for (const Trace& trace : traces) {
    const auto last = std::find_if(trace.points.rbegin(), trace.points.rend(), [&](const Point& point) {
      return point.y >= frame.values.low && point.y <= frame.values.high;
    });
    if (last != trace.points.rend()) {
      labels.push_back({&trace, frame.x(last->x), frame.y(last->y)});
    }
  }
  return labels;
}

void draw_label(Out out, const Label& label, double y, const Frame& frame) {
  const double x = frame.right + 18;
  fmt::format_to(out, "<g class=\"{}\"><polyline class=\"leader\" points=\"{:.1f},{:.1f} {:.1f},{:.1f}\"/>\n",
                 label.trace->looks, label.x + kMarkRadius + 2, label.y, x - 8, y);
  if (!label.trace->is_limit) {
    draw_mark(out, label.trace->shape, x - 3, y, "");
  }
  fmt::format_to(out, "<text class=\"label\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text></g>\n",
                 x + (label.trace->is_limit ? -5 : 5), y + 4, escaped(shortened(label.trace->name)));
}

void draw_labels(Out out, const std::vector<Trace>& traces, const Frame& frame) {
  const std::vector<Label> labels = labels_of(traces, frame);
  std::vector<double> wanted;
  wanted.reserve(labels.size());
  for (const Label& label : labels) {
    wanted.push_back(label.y);
  }
  const std::vector<double> positions = spread(wanted, kLabelGap, kTop, kBottom);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    draw_label(out, labels[i], positions[i], frame);
  }
}

std::string description(const Chart& chart, const std::vector<Trace>& traces) {
  std::string words = chart.y_label + " against size, both logarithmic:";
  for (auto trace = traces.rbegin(); trace != traces.rend(); ++trace) {
    words += fmt::format("{} {}", trace == traces.rbegin() ? "" : ",", trace->name);
  }
  return words;
}

std::string picture(const Chart& chart, std::string_view style, double margin) {
  const std::vector<Trace> traces = traces_of(chart);
  std::string text;
  Out out(text);
  fmt::format_to(out,
                 "<svg class=\"chart\" role=\"img\" xmlns=\"http://www.w3.org/2000/svg\" "
                 "viewBox=\"{0} {0} {1} {2}\">\n<title>{3}</title>\n<desc>{4}</desc>\n{5}"
                 "<rect class=\"paper\" x=\"{0}\" y=\"{0}\" width=\"{1}\" height=\"{2}\"/>\n"
                 "<text class=\"title\" y=\"17\">{3}</text>\n"
                 "<text class=\"unit\" y=\"34\">{6}</text>\n",
                 0 - margin, kWidth + 2 * margin, kHeight + 2 * margin, escaped(chart.title),
                 escaped(description(chart, traces)), style, escaped(chart.y_label));
  if (traces.empty()) {
    fmt::format_to(out, "<text class=\"unit\" y=\"60\">nothing was measured</text>\n");
  } else {
    const Frame frame = frame_of(traces);
    draw_grid(out, frame);
    draw_traces(out, traces, frame);
    draw_labels(out, traces, frame);
  }
  return text + "</svg>\n";
}

}  // namespace

std::string svg(const Chart& chart) { return picture(chart, "", 0); }

std::string svg_document(const Chart& chart) {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" +
         picture(chart, fmt::format("<style>\n{}</style>\n", kChartStyle), 16);
}

}  // namespace foldlane::bench
