// A report in GitHub's Markdown.
#include <fmt/format.h>

#include "bench/present/text_output.hpp"
#include "bench/present/wording.hpp"
#include "bench/report/case_name.hpp"

namespace foldlane::bench {
namespace {

std::string line_of(const std::vector<std::string>& cells) {
  return fmt::format("| {} |\n", fmt::join(cells, " | "));
}

std::string head_of(const Report& report, const Case& what) {
  std::vector<std::string> titles{"size",           "foldlane us",    "±95 %",          "p99",
                                  side_title(what), rate_title(what), bound_title(what)};
  std::vector<std::string> rule{"---:", "---:", "---:", "---:", "---:", "---:", "---"};
  for (const Peer& peer : report.peers) {
    titles.push_back(markdown_text(peer.name) + " us");
    titles.emplace_back(against_title(what));
    rule.insert(rule.end(), 2, "---:");
  }
  titles.emplace_back("check");
  rule.emplace_back("---");
  return line_of(titles) + line_of(rule);
}

/// Between the size and the peers.
std::vector<std::string> own_cells(const CaseResult& result) {
  const Figure* const ours = own_figure(result);
  if (ours == nullptr) return {"-", "", "", "", "", ""};
  return {"**" + three_digits(ours->time.value) + "**",
          spread_text(ours->time),
          three_digits(ours->p99),
          side_text(result.what, *ours),
          rate_text(result.what, *ours),
          markdown_text(bound_text(result))};
}

std::string row_of(const Report& report, const CaseResult& result) {
  std::vector<std::string> cells = own_cells(result);
  cells.insert(cells.begin(), size_text(result.what.bytes));
  for (const Peer& peer : report.peers) {
    const Figure* figure = figure_of(result, peer.name);
    cells.push_back(figure == nullptr ? "-" : three_digits(figure->time.value));
    cells.push_back(figure == nullptr ? "" : against_text(*figure));
  }
  const Figure* const ours = own_figure(result);
  const std::string check = ours == nullptr ? "-" : markdown_text(check_text(ours->check));
  cells.push_back(ours != nullptr && is_wrong(ours->check) ? "**" + check + "**" : check);
  return line_of(cells);
}

std::string group_text(const Report& report, const Group& group) {
  std::string text =
      fmt::format("\n### {}\n\n{}", markdown_text(heading_of(group.what)), head_of(report, group.what));
  for (const CaseResult* result : group.cases) {
    if (was_tried(*result)) text += row_of(report, *result);
  }
  const std::vector<std::string> notes = notes_on(group);
  if (!notes.empty()) text += "\n";
  for (const std::string& note : notes) text += "- " + markdown_text(note) + "\n";
  return text;
}

}  // namespace

std::string markdown_text(const std::string& text) {
  std::string result;
  for (const char letter : text) {
    if (std::string("|\\`*_<>[]~").find(letter) != std::string::npos) result += '\\';
    result += letter == '\n' ? ' ' : letter;
  }
  return result;
}

std::string markdown(const Report& report) {
  std::string text =
      fmt::format("## Foldlane {}, {}\n\n", markdown_text(report.version), markdown_text(report.date));
  if (!report.command.empty()) text += fmt::format("    {}\n\n", report.command);
  for (const Fact& fact : report.machine) {
    text += fmt::format("- {}: {}\n", markdown_text(fact.name), markdown_text(fact.value));
  }
  for (const Peer& peer : report.peers) text += "- " + markdown_text(peer_text(peer)) + "\n";
  for (const Group& group : groups_of(report)) text += group_text(report, group);
  for (const std::string& warning : report.warnings) {
    text += fmt::format("\n> **Warning:** {}\n", markdown_text(warning));
  }
  return text;
}

}  // namespace foldlane::bench
