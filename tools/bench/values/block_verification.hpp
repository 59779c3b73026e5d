// Whether calls that move blocks bring each to its place.
#pragma once

#include "bench/measure/job.hpp"
#include "bench/report/report.hpp"

namespace foldlane::bench {

/// Makes the selected call once, with known data of every rank where its input lies, and zeros, where there
/// is room for them, in what receives: each element must be that of the right sender and block.
Check verify_blocks(Job& job, const Case& what);

}  // namespace foldlane::bench
