// Several configurations of one peer count as one peer, at its best.
#pragma once

#include "bench/report/report.hpp"

namespace foldlane::bench {

/// In each case keeps the fastest of the figures of the same name; a peer is listed once, with all its
/// options.
void keep_best_configurations(Report& report);

}  // namespace foldlane::bench
