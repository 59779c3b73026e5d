#include "bench/report/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "bench/report/statistics.hpp"

namespace foldlane::bench {
namespace {

using Times = std::map<std::string, Estimate>;

Times by_name(std::span<const Measured> measured) {
  Times result;
  for (const Measured& one : measured) result.emplace(one.what, one.time);
  return result;
}

Verdict verdict_on(const Estimate& before, const Estimate& after, double tolerance) {
  if (overlap(before, after)) return Verdict::same;
  if (after.value > before.value * (1 + tolerance)) return Verdict::slower;
  if (before.value > after.value * (1 + tolerance)) return Verdict::faster;
  return Verdict::same;
}

/// Where a clock was too coarse both may be 0, which is no change.
double ratio_of(const Estimate& before, const Estimate& after) {
  return before.value == after.value ? 1 : after.value / before.value;
}

struct Wording {
  Verdict verdict;
  const char* word;
};

/// In the order of the table.
constexpr std::array kWordings{Wording{Verdict::slower, "slower"}, Wording{Verdict::missing, "missing"},
                               Wording{Verdict::faster, "faster"}, Wording{Verdict::added, "added"},
                               Wording{Verdict::same, "same"}};

/// Four significant digits without an exponent, for nanoseconds as for seconds.
int decimals_for(double time) {
  if (!(time > 0)) return 0;
  return std::clamp(3 - static_cast<int>(std::floor(std::log10(time))), 0, 7);
}

std::string time_text(const std::optional<Estimate>& time) {
  if (!time) return "";
  const int decimals = decimals_for(time->value);
  return fmt::format("{:.{}f} [{:.{}f} .. {:.{}f}]", time->value, decimals, time->low, decimals, time->high,
                     decimals);
}

using Row = std::array<std::string, 5>;

Row row_of(const Change& change, const char* word) {
  return {word, change.what, time_text(change.before), time_text(change.after),
          std::isnan(change.ratio) ? "" : fmt::format("{:.3f}", change.ratio)};
}

std::vector<Row> rows_of(std::span<const Change> changes) {
  std::vector<Row> rows{{"verdict", "case", "before, us", "after, us", "ratio"}};
  for (const Wording& wording : kWordings) {
    for (const Change& change : changes) {
      if (change.verdict == wording.verdict) rows.push_back(row_of(change, wording.word));
    }
  }
  return rows;
}

std::string aligned(const std::vector<Row>& rows) {
  std::array<std::size_t, std::tuple_size_v<Row>> widths{};
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const Row& row : rows) {
    const std::string line = fmt::format("{:<{}}  {:<{}}  {:>{}}  {:>{}}  {:>{}}", row[0], widths[0], row[1],
                                         widths[1], row[2], widths[2], row[3], widths[3], row[4], widths[4]);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string ratio_summary(std::span<const Change> changes) {
  std::vector<double> ratios;
  for (const Change& change : changes) {
    if (change.ratio > 0 && std::isfinite(change.ratio)) ratios.push_back(change.ratio);
  }
  if (ratios.empty()) return "";
  const Estimate mean = geometric_mean_estimate(ratios);
  return fmt::format("; geometric mean of after/before {:.3f} [{:.3f} .. {:.3f}]", mean.value, mean.low,
                     mean.high);
}

std::string summary(std::span<const Change> changes) {
  std::size_t both = 0;
  std::size_t overlapping = 0;
  for (const Change& change : changes) {
    if (!change.before || !change.after) continue;
    ++both;
    if (overlap(*change.before, *change.after)) ++overlapping;
  }
  if (both == 0) return "no case was measured both before and after\n";
  return fmt::format("the intervals of {} of {} cases overlap ({:.1f} %){}\n", overlapping, both,
                     100.0 * static_cast<double>(overlapping) / static_cast<double>(both),
                     ratio_summary(changes));
}

}  // namespace

std::vector<Change> compare(std::span<const Measured> before, std::span<const Measured> after,
                            double tolerance) {
  constexpr double kNoRatio = std::numeric_limits<double>::quiet_NaN();
  const Times earlier = by_name(before);
  const Times later = by_name(after);
  std::vector<Change> changes;
  for (const auto& [what, time] : before) {
    const auto found = later.find(what);
    if (found == later.end()) {
      changes.push_back({what, time, std::nullopt, Verdict::missing, kNoRatio});
    } else {
      changes.push_back({what, time, found->second, verdict_on(time, found->second, tolerance),
                         ratio_of(time, found->second)});
    }
  }
  for (const auto& [what, time] : after) {
    if (!earlier.contains(what)) changes.push_back({what, std::nullopt, time, Verdict::added, kNoRatio});
  }
  return changes;
}

bool is_worse(std::span<const Change> changes) {
  return std::any_of(changes.begin(), changes.end(), [](const Change& change) {
    return change.verdict == Verdict::slower || change.verdict == Verdict::missing;
  });
}

std::string describe(std::span<const Change> changes) { return aligned(rows_of(changes)) + summary(changes); }

}  // namespace foldlane::bench
