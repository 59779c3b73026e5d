// What changed between two measurements of the same things.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/report/measured.hpp"

namespace foldlane::bench {

enum class Verdict : std::uint8_t {
  same,
  faster,
  slower,
  added,    // only in the later measurement
  missing,  // only in the earlier one
};

struct Change {
  std::string what;
  std::optional<Estimate> before;
  std::optional<Estimate> after;
  Verdict verdict = Verdict::same;
  double ratio = 1;  // after / before; not a number if one of them is not there
};

/// Faster or slower is what differs beyond doubt and by an amount that matters: the intervals do not overlap,
/// and the larger median exceeds the smaller one by more than this share of it. In the order of `before`,
/// then what was added.
std::vector<Change> compare(std::span<const Measured> before, std::span<const Measured> after,
                            double tolerance);

/// Whether anything is slower or missing.
bool is_worse(std::span<const Change> changes);

/// An aligned table, the worst first, and a line about all of them: the share of intervals that overlap, by
/// which the repeatability of two runs is judged, and the geometric mean of the ratios.
std::string describe(std::span<const Change> changes);

}  // namespace foldlane::bench
