// What `--under` is about: jobs of another MPI with Foldlane under its calls, against the same without.
#pragma once

#include <string>
#include <vector>

#include "bench/report/report.hpp"

namespace foldlane::bench {

/// The name of a peer when Foldlane is under it.
std::string accelerated_name(const std::string& host);

/// Of a call, over all sizes.
struct UnderMean {
  std::string host;  // "openmpi"
  std::string call;
  Estimate gain;      // the host's time without Foldlane / with it, geometric mean
  Estimate overhead;  // its time with Foldlane / that of Foldlane's own library, likewise
  double added_ns;    // by which the smallest case is longer than in Foldlane's own library

  bool operator==(const UnderMean&) const = default;
};

/// By host, then in the order in which the calls first occur. What lacks one of the three figures is left
/// out.
std::vector<UnderMean> under_means(const Report& report);

}  // namespace foldlane::bench
