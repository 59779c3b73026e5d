// A report as an aligned table for a terminal.
#include <fmt/format.h>

#include "bench/present/cells.hpp"
#include "bench/present/text_output.hpp"
#include "bench/present/wording.hpp"
#include "bench/report/call_traits.hpp"
#include "bench/report/case_name.hpp"

namespace foldlane::bench {
namespace {

constexpr std::size_t kWidth = 100;
constexpr std::size_t kLongestPeer = 18;

std::string clipped(const std::string& name) {
  return name.size() <= kLongestPeer ? name : name.substr(0, kLongestPeer - 1) + "…";
}

std::vector<Column> columns_of(const Report& report) {
  // size, time, its interval, p99, skew or CPU time, bandwidth, bound
  std::vector<Column> columns{{0}, {2}, {1, false}, {1}, {1}, {1}, {2, false}};
  for (std::size_t peer = 0; peer < report.peers.size(); ++peer) {
    columns.push_back({2});
    columns.push_back({1, false});
  }
  columns.push_back({1, false});
  return columns;
}

/// Whose figures the columns below are.
Row names_of(const Report& report) {
  Row row(7);
  row[1] = {"foldlane", Paint::dim, true};
  for (const Peer& peer : report.peers) {
    row.push_back({clipped(peer.name), Paint::dim, true});
    row.emplace_back();
  }
  row.emplace_back();
  return row;
}

Row titles_of(const Report& report, const Case& what) {
  Row row{{"size"}, {"us"}, {"±95%"}, {"p99"}, {side_title(what)}, {rate_title(what)}, {bound_title(what)}};
  for (std::size_t peer = 0; peer < report.peers.size(); ++peer) {
    row.push_back({"us"});
    row.push_back({against_title(what)});
  }
  row.push_back({"check"});
  for (Cell& cell : row) cell.paint = Paint::dim;
  return row;
}

Paint paint_of(const Figure& figure) {
  if (!figure.against || figure.overlap) return Paint::none;
  if (figure.against->low > 1) return Paint::good;
  return figure.against->high < 1 ? Paint::bad : Paint::none;
}

void add_peer(const Figure* figure, Row& row) {
  if (figure == nullptr) {
    row.push_back({"-"});
    row.emplace_back();
    return;
  }
  row.push_back({three_digits(figure->time.value), is_wrong(figure->check) ? Paint::bad : Paint::none});
  row.push_back(Cell{against_text(*figure), paint_of(*figure)});
}

/// Between the size and the peers.
Row own_cells(const CaseResult& result) {
  const Figure* const ours = own_figure(result);
  if (ours == nullptr) return {{"-"}, {}, {}, {}, {}, {}};
  return {{three_digits(ours->time.value), Paint::bold},
          {spread_text(ours->time), Paint::dim},
          {three_digits(ours->p99)},
          {side_text(result.what, *ours)},
          {rate_text(result.what, *ours)},
          {bound_text(result)}};
}

Row row_of(const Report& report, const CaseResult& result) {
  const std::string size = has_data(result.what.call) ? size_text(result.what.bytes) : "";
  Row row = own_cells(result);
  row.insert(row.begin(), {size});
  for (const Peer& peer : report.peers) add_peer(figure_of(result, peer.name), row);
  const Figure* const ours = own_figure(result);
  const Check check = ours == nullptr ? Check{} : ours->check;
  row.push_back({check_text(check), is_wrong(check) ? Paint::bad : Paint::none});
  return row;
}

std::string painted_lines(const std::string& text, Paint paint, bool colour) {
  const std::string lines = wrapped(text, kWidth, "  ");
  return painted(lines.substr(0, lines.size() - 1), paint, colour) + "\n";
}

std::string group_text(const Report& report, const Group& group, bool colour) {
  std::vector<Row> rows;
  if (!report.peers.empty()) rows.push_back(names_of(report));
  rows.push_back(titles_of(report, group.what));
  for (const CaseResult* result : group.cases) {
    if (was_tried(*result)) rows.push_back(row_of(report, *result));
  }
  std::string text = "\n";
  text += painted_lines(heading_of(group.what), Paint::bold, colour);
  text += aligned(columns_of(report), rows, colour);
  for (const std::string& note : notes_on(group)) text += wrapped("* " + note, kWidth, "  ");
  return text;
}

/// "CPU: AMD EPYC · kernel: 6.1 · …", broken between facts.
std::string machine_text(const Report& report) {
  std::string text;
  std::string line;
  for (const Fact& fact : report.machine) {
    const std::string words = fact.name + ": " + fact.value;
    if (!line.empty() && width_of(line) + 3 + width_of(words) <= kWidth) {
      line += " · " + words;
      continue;
    }
    if (!line.empty()) text += wrapped(line, kWidth, "  ");
    line = words;
  }
  return line.empty() ? text : text + wrapped(line, kWidth, "  ");
}

}  // namespace

std::string table(const Report& report, bool colour) {
  std::string text =
      painted(fmt::format("Foldlane {}, {}", report.version, report.date), Paint::bold, colour) + "\n";
  text += machine_text(report);
  for (const Peer& peer : report.peers) text += wrapped(peer_text(peer), kWidth, "  ");
  for (const Group& group : groups_of(report)) text += group_text(report, group, colour);
  text += scale_table(report, colour);
  if (!report.warnings.empty()) text += "\n";
  for (const std::string& warning : report.warnings) {
    text += painted_lines("Warning: " + warning, Paint::caution, colour);
  }
  return text;
}

}  // namespace foldlane::bench
