// Times by name, as read from a report of `foldlane bench` or of Google Benchmark.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "bench/report/report.hpp"

namespace foldlane::bench {

struct Measured {
  std::string what;  // no two of one document are the same
  Estimate time;     // microseconds

  bool operator==(const Measured&) const = default;
};

/// Of a report of ours: Foldlane's own figures. Of Google Benchmark: real times, the repetitions of a name
/// being its samples; where only aggregates were kept, their median, an interval of no width. Runs that
/// failed or were skipped are left out. Throws std::runtime_error if the document is neither, or damaged.
std::vector<Measured> read_measured(const nlohmann::json& document);

}  // namespace foldlane::bench
