#include "bench/present/page.hpp"

#include <fmt/format.h>

#include <iterator>
#include <stdexcept>
#include <vector>

#include "bench/present/markup.hpp"
#include "bench/present/page_tables.hpp"
#include "bench/present/styles.hpp"
#include "bench/report/case_name.hpp"
#include "bench/report/groups.hpp"

namespace foldlane::bench {
namespace {

using Out = std::back_insert_iterator<std::string>;

void head(Out out, const Report& report) {
  fmt::format_to(out,
                 "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
                 "<title>Foldlane benchmark, {}</title>\n<style>\n{}{}</style>\n</head>\n",
                 escaped(report.date), kChartStyle, kPageStyle);
}

void title(Out out, const Report& report) {
  fmt::format_to(out,
                 "<header>\n<p class=\"maker\">Foldlane {}</p>\n<h1>Benchmark report</h1>\n"
                 "<p class=\"origin\"><time>{}</time><code>{}</code></p>\n</header>\n",
                 escaped(report.version), escaped(report.date), escaped(report.command));
}

/// Wrong results first: they outweigh every figure.
std::vector<std::string> warnings_of(const Report& report) {
  std::vector<std::string> warnings;
  for (const CaseResult& result : report.cases) {
    for (const Figure& figure : result.figures) {
      if (const std::string fault = fault_of(figure); !fault.empty()) {
        warnings.push_back(fmt::format("{}, {} of {} ({}): verification failed: {}", figure.who,
                                       result.what.call, size_text(result.what.bytes),
                                       details_of(result.what), fault));
      }
    }
  }
  warnings.insert(warnings.end(), report.warnings.begin(), report.warnings.end());
  return warnings;
}

void warnings(Out out, const Report& report) {
  const std::vector<std::string> all = warnings_of(report);
  if (all.empty()) {
    return;
  }
  fmt::format_to(out, "<section class=\"warnings\">\n<h2>Read these figures with care</h2>\n<ul>\n");
  for (const std::string& warning : all) {
    fmt::format_to(out, "<li>{}</li>\n", escaped(warning));
  }
  fmt::format_to(out, "</ul>\n</section>\n");
}

void summary(Out out, const Report& report) {
  fmt::format_to(out, "<section>\n<h2>Summary</h2>\n");
  if (report.cases.empty()) {
    fmt::format_to(out, "<p class=\"note\">Nothing was measured.</p>\n</section>\n");
    return;
  }
  fmt::format_to(
      out,
      "<p class=\"note\">A peer’s time divided by Foldlane’s, as the geometric mean over all cases of a "
      "call, with the least and the largest ratio. Above 1, Foldlane is faster. The last column is "
      "Foldlane’s time divided by what the machine allows at best.</p>\n{}</section>\n",
      summary_table(report));
}

void machine(Out out, const Report& report) {
  if (report.machine.empty()) {
    return;
  }
  fmt::format_to(out, "<section>\n<h2>Machine</h2>\n<dl>\n");
  for (const Fact& fact : report.machine) {
    fmt::format_to(out, "<div><dt>{}</dt><dd>{}</dd></div>\n", escaped(fact.name), escaped(fact.value));
  }
  fmt::format_to(out, "</dl>\n</section>\n");
}

void peers(Out out, const Report& report) {
  if (report.peers.empty()) {
    return;
  }
  fmt::format_to(
      out,
      "<section>\n<h2>Peers</h2>\n<div class=\"scroll\" tabindex=\"0\"><table class=\"peers\">\n<thead><tr>"
      "<th scope=\"col\">name</th><th scope=\"col\">version</th><th scope=\"col\">options</th>"
      "</tr></thead>\n<tbody>\n");
  for (const Peer& peer : report.peers) {
    fmt::format_to(out, "<tr><th scope=\"row\">{}</th><td>{}</td><td><code>{}</code></td></tr>\n",
                   escaped(peer.name), escaped(peer.version),
                   escaped(peer.options.empty() ? "–" : peer.options));
  }
  fmt::format_to(out, "</tbody>\n</table></div>\n</section>\n");
}

void section(Out out, const Group& group, const std::vector<std::string>& implementations) {
  fmt::format_to(out, "<section class=\"group\">\n<h2>{} <span>{}</span></h2>\n", escaped(group.what.call),
                 escaped(details_of(group.what)));
  if (has_several_sizes(group) && group.what.beside == Beside::nothing) {
    fmt::format_to(out, "<div class=\"charts\">\n<figure>{}</figure>\n<figure>{}</figure>\n</div>\n",
                   svg(time_chart(group, implementations)), svg(bandwidth_chart(group, implementations)));
  }
  fmt::format_to(out, "{}</section>\n", figure_table(group, implementations));
}

constexpr std::string_view kReading =
    "<footer>\n<p>Sizes are bytes of one rank’s input. Times are medians; small figures and shaded bands are "
    "95\u00a0% "
    "confidence intervals. p99 is the time that one call in a hundred exceeds, skew the median time between "
    "the "
    "first and the last rank’s entry. Dotted lines are limits of the machine, measured in the same run; the "
    "bound "
    "of a case is the largest of them. A ratio in colour has its whole interval on one side of 1. Verified: "
    "right "
    "elements, the same bits on all ranks and, for Foldlane, those of the serial fold; “other order” are "
    "right "
    "results with other rounding. Hidden: how much of a call disappears behind a computation of the same "
    "length, whose time together is shown.</p>\n</footer>\n";

}  // namespace

std::string html(const Report& report) {
  std::string text;
  Out out(text);
  head(out, report);
  fmt::format_to(out, "<body>\n<main>\n");
  title(out, report);
  warnings(out, report);
  summary(out, report);
  const std::vector<std::string> implementations = implementations_of(report);
  for (const Group& group : groups_of(report)) {
    section(out, group, implementations);
  }
  machine(out, report);
  peers(out, report);
  fmt::format_to(out, "{}</main>\n</body>\n</html>\n", kReading);
  return text;
}

std::string svg_of(const Report& report, std::string_view call) {
  for (const Group& group : groups_of(report)) {
    if ((call.empty() || group.what.call == call) && has_several_sizes(group)) {
      Chart chart = time_chart(group, implementations_of(report));
      chart.title = group.what.call;
      chart.y_label = "time per call, µs (" + details_of(group.what) + ")";
      return svg_document(chart);
    }
  }
  throw std::runtime_error(
      call.empty() ? "nothing to plot: no call was measured with more than one size"
                   : fmt::format("nothing to plot: {} was not measured with more than one size", call));
}

}  // namespace foldlane::bench
