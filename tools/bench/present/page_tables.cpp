#include "bench/present/page_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <string_view>

#include "bench/present/markup.hpp"
#include "bench/report/case_name.hpp"

namespace foldlane::bench {
namespace {

using Out = std::back_insert_iterator<std::string>;

constexpr std::string_view kNothing = "<td class=\"none\">–</td>";

/// The geometric mean of ratios and how far they reach.
struct Mean {
  double logs = 0;
  double low = 0;
  double high = 0;
  int count = 0;

  void include(const std::optional<Estimate>& ratio) {
    if (ratio && ratio->value > 0 && std::isfinite(ratio->value)) {
      logs += std::log(ratio->value);
      low = count == 0 ? ratio->value : std::min(low, ratio->value);
      high = std::max(high, ratio->value);
      ++count;
    }
  }
  double value() const { return std::exp(logs / count); }
};

std::string mean_cell(const Mean& mean) {
  if (mean.count == 0) {
    return std::string(kNothing);
  }
  const std::string reach =
      mean.count == 1 ? ""
                      : fmt::format("<small>{} to {}</small>", figure_text(mean.low), figure_text(mean.high));
  return fmt::format("<td><b>{}×</b>{}</td>", figure_text(mean.value()), reach);
}

/// "0.214–0.227", in small letters
std::string interval(const Estimate& estimate) {
  return fmt::format("<small>{}–{}</small>", figure_text(estimate.low), figure_text(estimate.high));
}

/// A ratio counts only if its whole interval lies on one side.
std::string_view verdict(const Estimate& ratio) {
  return ratio.low > 1 ? "faster" : ratio.high < 1 ? "slower" : "even";
}

std::string check_cell(const Figure& figure) {
  if (!figure.check.done) {
    return "<td class=\"none\">not checked</td>";
  }
  if (const std::string fault = fault_of(figure); !fault.empty()) {
    return fmt::format("<td class=\"fault\">{}</td>", fault);
  }
  return fmt::format("<td class=\"fine\">✓{}</td>",
                     figure.check.canonical ? "" : "<small>other order</small>");
}

/// What has no column of its own shows up under the pointer.
std::string time_cell(const Figure& figure) {
  return fmt::format("<td class=\"time\" title=\"{} samples, {} outliers, {} µs of CPU time\">{}{}</td>",
                     figure.samples, figure.outliers, figure_text(figure.cpu), figure_text(figure.time.value),
                     interval(figure.time));
}

std::string hidden_cell(const Overlap& overlap) {
  return fmt::format(
      "<td title=\"alone {} µs, computing {} µs\"><b>{:.0f} %</b><small>{:.0f}–{:.0f}</small></td>",
      figure_text(overlap.alone), figure_text(overlap.computing), overlap.hidden.value, overlap.hidden.low,
      overlap.hidden.high);
}

/// What stands beside a figure of ours, and of a peer.
std::string bound_cell(const CaseResult& result) {
  const Figure* const ours = own_figure(result);
  if (ours != nullptr && ours->overlap) {
    return hidden_cell(*ours->overlap);
  }
  if (!result.over_bound) {
    return std::string(kNothing);
  }
  return fmt::format("<td>{}× {}{}</td>", figure_text(result.over_bound->value), escaped(result.bound),
                     interval(*result.over_bound));
}

std::string against_cell(const Figure& figure) {
  if (figure.overlap) {
    return hidden_cell(*figure.overlap);
  }
  if (!figure.against) {
    return std::string(kNothing);
  }
  return fmt::format("<td class=\"{}\"><b>{}×</b>{}</td>", verdict(*figure.against),
                     figure_text(figure.against->value), interval(*figure.against));
}

std::string missing_cell(const CaseResult& result, const std::string& who, int columns) {
  const std::string reason = support_text(result, who);
  return fmt::format("<td colspan=\"{}\" class=\"none first\">{}</td>", columns,
                     reason.empty() ? "not measured" : escaped(reason));
}

std::string own_cells(const CaseResult& result, const std::string& who) {
  const Figure* const figure = figure_of(result, who);
  if (figure == nullptr) {
    return missing_cell(result, who, 5);
  }
  return fmt::format("{}<td>{}</td><td>{}</td>{}{}", time_cell(*figure), figure_text(figure->p99),
                     figure_text(figure->skew), bound_cell(result), check_cell(*figure));
}

std::string peer_cells(const CaseResult& result, const std::string& who) {
  const Figure* const figure = figure_of(result, who);
  return figure == nullptr ? missing_cell(result, who, 3)
                           : time_cell(*figure) + against_cell(*figure) + check_cell(*figure);
}

/// Those that were measured or refused anywhere in the group; Foldlane, the first of all, in any case.
std::vector<std::string> present(const Group& group, const std::vector<std::string>& implementations) {
  std::vector<std::string> names = implementations;
  std::erase_if(names, [&](const std::string& who) {
    return who != implementations.front() &&
           std::none_of(group.cases.begin(), group.cases.end(), [&](const CaseResult* result) {
             return figure_of(*result, who) != nullptr || !support_text(*result, who).empty();
           });
  });
  return names;
}

void table_head(Out out, const Case& what, const std::vector<std::string>& names) {
  const bool overlaps = what.beside != Beside::nothing;
  fmt::format_to(out, "<thead>\n<tr><th rowspan=\"2\" scope=\"col\">size</th>");
  for (std::size_t i = 0; i < names.size(); ++i) {
    fmt::format_to(out, "<th colspan=\"{}\" scope=\"colgroup\" class=\"who\">{}</th>", i == 0 ? 5 : 3,
                   escaped(names[i]));
  }
  fmt::format_to(out,
                 "</tr>\n<tr><th class=\"first\">time, µs</th><th>p99</th><th>skew</th><th>{}</th>"
                 "<th>verified</th>",
                 overlaps ? "hidden" : "÷ bound");
  for (std::size_t i = 1; i < names.size(); ++i) {
    fmt::format_to(out, "<th class=\"first\">time, µs</th><th>{}</th><th>verified</th>",
                   overlaps ? "hidden" : "÷ foldlane");
  }
  fmt::format_to(out, "</tr>\n</thead>\n");
}

void summary_row(Out out, const Report& report, const std::string& call,
                 const std::vector<std::string>& names) {
  std::vector<Mean> means(names.size());  // in place of Foldlane's own, its time by the bound
  for (const CaseResult& result : report.cases) {
    const bool counts = result.what.call == call && result.what.beside == Beside::nothing;
    for (std::size_t i = 0; counts && i < names.size(); ++i) {
      const Figure* figure = figure_of(result, names[i]);
      means[i].include(i == 0 ? result.over_bound : figure != nullptr ? figure->against : std::nullopt);
    }
  }
  fmt::format_to(out, "<tr><th scope=\"row\">{}</th>", escaped(call));
  for (std::size_t i = 1; i < names.size(); ++i) {
    fmt::format_to(out, "{}", mean_cell(means[i]));
  }
  fmt::format_to(out, "{}</tr>\n", mean_cell(means[0]));
}

}  // namespace

std::string fault_of(const Figure& figure) {
  const Check& check = figure.check;
  if (!check.done) {
    return "";
  }
  if (check.wrong_elements > 0) {
    return fmt::format("{} wrong", check.wrong_elements);
  }
  if (!check.same_on_all_ranks) {
    return "ranks differ";
  }
  return figure.who == "foldlane" && !check.canonical ? "not canonical" : "";
}

std::string summary_table(const Report& report) {
  const std::vector<std::string> names = implementations_of(report);
  std::vector<std::string> calls;
  for (const CaseResult& result : report.cases) {
    if (std::find(calls.begin(), calls.end(), result.what.call) == calls.end()) {
      calls.push_back(result.what.call);
    }
  }
  std::string text =
      "<div class=\"scroll\" tabindex=\"0\"><table class=\"summary\">\n<thead><tr><th "
      "scope=\"col\">call</th>";
  Out out(text);
  for (std::size_t i = 1; i < names.size(); ++i) {
    fmt::format_to(out, "<th scope=\"col\">{} ÷ foldlane</th>", escaped(names[i]));
  }
  fmt::format_to(out, "<th scope=\"col\">foldlane ÷ bound</th></tr></thead>\n<tbody>\n");
  for (const std::string& call : calls) {
    summary_row(out, report, call, names);
  }
  return text + "</tbody>\n</table></div>\n";
}

std::string figure_table(const Group& group, const std::vector<std::string>& implementations) {
  const std::vector<std::string> names = present(group, implementations);
  std::string text = "<div class=\"scroll\" tabindex=\"0\"><table class=\"figures\">\n";
  Out out(text);
  table_head(out, group.what, names);
  fmt::format_to(out, "<tbody>\n");
  for (const CaseResult* result : group.cases) {
    const std::uint64_t bytes = result->what.bytes;
    fmt::format_to(out, "<tr><th scope=\"row\">{}</th>", bytes == 0 ? "–" : size_text(bytes));
    text += own_cells(*result, names.front());
    for (std::size_t i = 1; i < names.size(); ++i) {
      text += peer_cells(*result, names[i]);
    }
    fmt::format_to(out, "</tr>\n");
  }
  return text + "</tbody>\n</table></div>\n";
}

}  // namespace foldlane::bench
