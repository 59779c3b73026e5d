// A report in GitHub's Markdown.
#include <fmt/format.h>

#include "bench/case_name.hpp"
#include "bench/text_output.hpp"
#include "bench/wording.hpp"

namespace foldlane::bench {
namespace {

/// Text in which Markdown finds nothing to interpret.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char letter : text) {
    if (std::string("|\\`*_<>[]~").find(letter) != std::string::npos) result += '\\';
    result += letter == '\n' ? ' ' : letter;
  }
  return result;
}

std::string line_of(const std::vector<std::string>& cells) {
  return fmt::format("| {} |\n", fmt::join(cells, " | "));
}

std::string head_of(const Report& report, const Case& what) {
  std::vector<std::string> titles{"size", "foldlane us", "±95 %", "p99", side_title(what), "GB/s", "x limit"};
  std::vector<std::string> rule{"---:", "---:", "---:", "---:", "---:", "---:", "---"};
  for (const Peer& peer : report.peers) {
    titles.push_back(escaped(peer.name) + " us");
    titles.emplace_back("x ours");
    rule.insert(rule.end(), 2, "---:");
  }
  titles.emplace_back("check");
  rule.emplace_back("---");
  return line_of(titles) + line_of(rule);
}

std::string row_of(const Report& report, const CaseResult& result) {
  const Figure& ours = result.figures.front();
  std::vector<std::string> cells{size_text(result.what.bytes), "**" + three_digits(ours.time.value) + "**",
                                 spread_text(ours.time),       three_digits(ours.p99),
                                 side_text(result.what, ours), bandwidth_text(result.what, ours.time.value),
                                 escaped(bound_text(result))};
  for (const Peer& peer : report.peers) {
    const Figure* figure = figure_of(result, peer.name);
    cells.push_back(figure == nullptr ? "-" : three_digits(figure->time.value));
    cells.push_back(figure != nullptr && figure->against ? against_text(*figure->against) : "");
  }
  const std::string check = escaped(check_text(ours.check));
  cells.push_back(is_wrong(ours.check) ? "**" + check + "**" : check);
  return line_of(cells);
}

std::string group_text(const Report& report, const Group& group) {
  std::string text =
      fmt::format("\n### {}\n\n{}", escaped(heading_of(group.what)), head_of(report, group.what));
  for (const CaseResult* result : group.cases) {
    if (!result->figures.empty()) text += row_of(report, *result);
  }
  const std::vector<std::string> notes = notes_on(group);
  if (!notes.empty()) text += "\n";
  for (const std::string& note : notes) text += "- " + escaped(note) + "\n";
  return text;
}

}  // namespace

std::string markdown(const Report& report) {
  std::string text = fmt::format("## Foldlane {}, {}\n\n", escaped(report.version), escaped(report.date));
  if (!report.command.empty()) text += fmt::format("    {}\n\n", report.command);
  for (const Fact& fact : report.machine) {
    text += fmt::format("- {}: {}\n", escaped(fact.name), escaped(fact.value));
  }
  for (const Peer& peer : report.peers) text += "- " + escaped(peer_text(peer)) + "\n";
  for (const Group& group : groups_of(report)) text += group_text(report, group);
  for (const std::string& warning : report.warnings) {
    text += fmt::format("\n> **Warning:** {}\n", escaped(warning));
  }
  return text;
}

}  // namespace foldlane::bench
