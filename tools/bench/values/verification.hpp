// Whether a call gives the right results: outside the timed part, under the implementation that was timed.
#pragma once

#include "bench/measure/job.hpp"
#include "bench/report/report.hpp"

namespace foldlane::bench {

/// Makes the call of the selected case twice, with known inputs on all ranks. First with values whose fold is
/// exact in every order: each element of every rank's result must be right. Then, for floating-point types,
/// with random ones, which round: are the results the same bits on all ranks, and the bits of the serial fold
/// in the canonical order? The expected values come from the scalar reference kernels. Of a pattern of
/// messages: message_verification.hpp; of calls that move blocks: block_verification.hpp.
Check verify(Job& job, const Case& what);

}  // namespace foldlane::bench
