#include "bench/present/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "bench/present/axis.hpp"
#include "bench/present/markup.hpp"
#include "bench/present/plot.hpp"
#include "bench/present/styles.hpp"

namespace foldlane::bench {
namespace {

constexpr double kLabelGap = 15;   // between the baselines of labels; their letters are 12 high
constexpr double kMarkRadius = 3;  // and what a mark needs beside the plot's edge

struct Label {
  const Trace* trace;
  double x;  // of the line's end
  double y;
};

using Out = std::back_insert_iterator<std::string>;

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
