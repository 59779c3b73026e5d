#include "bench/present/wording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/report/call_traits.hpp"
#include "bench/report/case_name.hpp"
#include "bench/report/pattern.hpp"

namespace foldlane::bench {
namespace {

constexpr std::uint64_t kBandwidthFrom = 4096;
constexpr double kNotableOutliers = 0.01;

/// Digits behind the point that make three significant ones.
int decimals_of(double value) {
  // Rounding may carry: 9.996 is "10.0".
  if (value >= 99.95) return 0;
  if (value >= 9.995) return 1;
  return value >= 0.9995 ? 2 : 3;
}

std::string with_decimals(double value, int decimals) { return fmt::format("{:.{}f}", value, decimals); }

double half_width(const Estimate& estimate) {
  return std::max(estimate.high - estimate.value, estimate.value - estimate.low);
}

std::string hidden_text(const Overlap& overlap) {
  return fmt::format("{:.0f}% ±{:.0f}", overlap.hidden.value, half_width(overlap.hidden));
}

bool marked(const Check& check) { return check.done && (!check.same_on_all_ranks || !check.canonical); }

void add_once(const std::string& note, std::vector<std::string>& notes) {
  if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
}

void add_figure_notes(const CaseResult& result, const Figure& figure, std::vector<std::string>& notes) {
  const std::string who = size_text(result.what.bytes) + ", " + figure.who + ": ";
  const bool peer = figure.who != "foldlane";
  if (peer && is_wrong(figure.check)) {
    notes.push_back(fmt::format("{}{} WRONG elements", who, figure.check.wrong_elements));
  }
  if (peer && figure.check.done && !figure.check.same_on_all_ranks) {
    notes.push_back(who + "not the same bits on all ranks");
  }
  if (static_cast<double>(figure.outliers) > kNotableOutliers * static_cast<double>(figure.samples)) {
    notes.push_back(fmt::format("{}{} of {} samples took more than three times the median", who,
                                figure.outliers, figure.samples));
  }
}

/// Of threads it is said how many messages they have in a second, all together.
bool shows_rate(const Case& what) {
  return is_flow(what.call) || (knows_threads(what.call) && what.threads > 0);
}

std::string timing_text(const Case& what) {
  if (is_pattern(what.call)) return step_text(what.call);
  switch (what.timing) {
    case Timing::stamped:
      return "last entry to last exit";
    case Timing::whole:
      return "first entry to last exit";
    case Timing::back_to_back:
      break;
  }
  return "back to back";
}

}  // namespace

std::string heading_of(const Case& what) {
  std::vector<std::string> parts;
  if (has_data(what.call)) {
    parts.push_back(combines(what.call) ? what.type + " " + what.op : what.type);
  }
  parts.push_back(ranks_text(what));
  if (what.threads == 1) parts.push_back(threads_text(what));
  if (what.threads > 1) parts.push_back(fmt::format("{} each, rates of all", threads_text(what)));
  if (has_root(what.call)) parts.push_back(fmt::format("root {}", what.root));
  if (what.in_place) parts.emplace_back("in place");
  if (has_data(what.call)) {
    parts.push_back(fmt::format("{}{}{}{} buffers", name_of(what.buffers), what.unaligned ? " unaligned" : "",
                                what.huge_pages ? " huge-page" : "", what.alloc_mem ? " MPI_Alloc_mem" : ""));
  }
  if (moves_blocks(what.call)) parts.emplace_back("sizes per block");
  if (what.beside != Beside::nothing) parts.emplace_back(name_of(what.beside));
  parts.emplace_back(timing_text(what));
  return fmt::format("{}: {}", what.call, fmt::join(parts, ", "));
}

std::string three_digits(double value) { return with_decimals(value, decimals_of(value)); }

std::string skew_text(double microseconds) {
  return with_decimals(microseconds, microseconds < 9.95 ? 2 : 0);
}

const char* side_title(const Case& what) { return is_of_calls(what.timing) ? "skew" : "cpu us"; }

std::string side_text(const Case& what, const Figure& figure) {
  return is_of_calls(what.timing) ? skew_text(figure.skew) : three_digits(figure.cpu);
}

std::string spread_text(const Estimate& estimate) {
  if (estimate.value <= 0) return "";
  const double percent = 100 * half_width(estimate) / estimate.value;
  return fmt::format("±{:.{}f}%", percent, percent < 9.95 ? 1 : 0);
}

std::string against_text(const Estimate& against) {
  const int decimals = std::min(2, decimals_of(against.value));
  return fmt::format("{}x ±{}", with_decimals(against.value, decimals),
                     with_decimals(half_width(against), decimals));
}

std::string against_text(const Figure& figure) {
  if (figure.overlap) return hidden_text(*figure.overlap);
  return figure.against ? against_text(*figure.against) : "";
}

const char* rate_title(const Case& what) {
  if (shows_rate(what)) return "rate";
  return what.beside == Beside::nothing ? "GB/s" : "alone";
}

std::string rate_text(const Case& what, const Figure& figure) {
  if (shows_rate(what)) return flow_text(what, figure.time.value);
  return figure.overlap ? three_digits(figure.overlap->alone) : bandwidth_text(what, figure.time.value);
}

const char* bound_title(const Case& what) { return what.beside == Beside::nothing ? "x limit" : "hidden"; }

const char* against_title(const Case& what) { return what.beside == Beside::nothing ? "x ours" : "hidden"; }

std::string bandwidth_text(const Case& what, double microseconds) {
  if (what.bytes < kBandwidthFrom || microseconds <= 0) return "";
  const double rate = static_cast<double>(what.bytes) / microseconds / 1000;
  return with_decimals(rate, std::min(2, decimals_of(rate)));
}

std::string flow_text(const Case& what, double microseconds) {
  const double of_all = microseconds / at_once(what);
  const std::string bandwidth = bandwidth_text(what, of_all);
  return bandwidth.empty() ? three_digits(1 / of_all) + " M/s" : bandwidth + " GB/s";
}

std::string bound_text(const CaseResult& result) {
  const Figure* const ours = own_figure(result);
  if (ours != nullptr && ours->overlap) return hidden_text(*ours->overlap);
  if (!result.over_bound) return "";
  const double ratio = result.over_bound->value;
  return fmt::format("{:.{}f} {}", ratio, ratio < 9.95 ? 1 : 0, result.bound);
}

std::string check_text(const Check& check) {
  if (!check.done) return "-";
  const std::string verdict =
      check.wrong_elements == 0 ? "ok" : std::to_string(check.wrong_elements) + " WRONG";
  return verdict + (check.same_on_all_ranks ? "" : kUnequalMark) + (check.canonical ? "" : kUncanonicalMark);
}

bool is_wrong(const Check& check) { return check.done && check.wrong_elements > 0; }

std::vector<std::string> notes_on(const Group& group) {
  std::vector<std::string> notes;
  bool any_mark = false;
  for (const CaseResult* result : group.cases) {
    for (const Figure& figure : result->figures) add_figure_notes(*result, figure, notes);
    const Figure* const ours = own_figure(*result);
    any_mark = any_mark || (ours != nullptr && marked(ours->check));
    for (const std::string& who : result->not_supported_by) add_once(support_text(*result, who), notes);
  }
  if (any_mark) notes.emplace_back(kMarkMeanings);
  return notes;
}

std::string peer_text(const Peer& peer) {
  return fmt::format("{}: {}{}", peer.name, peer.version,
                     peer.options.empty() ? "" : ", given " + peer.options);
}

}  // namespace foldlane::bench
