// The vector folds of every level in this build. Internal to kernels/.
#pragma once

#include "kernels/fold.hpp"
#include "kernels/level.hpp"

namespace foldlane::kernels {

/// nullptr where `level` has no vector code for a valid (op, elem): 128-bit types, c16 and pairs, and scalar.
FoldFunction fold_simd_function(Level level, Op op, Elem elem) noexcept;

}  // namespace foldlane::kernels
