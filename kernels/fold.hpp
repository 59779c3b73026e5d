// The k-way fold: one pass over k sources into one destination, in the canonical order.
#pragma once

#include <cstddef>

#include "kernels/elem.hpp"
#include "kernels/op.hpp"

namespace foldlane::kernels {

/// dst[i] = fold(0, k) of sources[0][i] … sources[k-1][i], where
/// fold(lo, hi) = fold(lo, mid) op fold(mid, hi) and mid = lo + the largest power of two below hi - lo
/// (ARCHITECTURE.md, "The canonical order"; pairwise summation). bf16/f16 and c16 accumulate in f32 and round
/// once.
///
/// k >= 1 (k = 1 copies), any alignment. dst may be exactly one of the sources; any other overlap is
/// undefined. The value of element i depends on the k inputs at i and on nothing else: not on i, count,
/// alignment or ISA.
using FoldFunction = void (*)(void* dst, const void* const* sources, std::size_t k,
                              std::size_t count) noexcept;

/// The best permitted implementation on this CPU, or nullptr if !valid(op, elem). Resolve once, call often.
FoldFunction fold_function(Op op, Elem elem) noexcept;

/// The scalar implementation: the oracle of the tests, and what fold_function returns where no vector code
/// exists.
FoldFunction fold_reference_function(Op op, Elem elem) noexcept;

}  // namespace foldlane::kernels
