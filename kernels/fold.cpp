// Resolves (op, elem) to vector code where it exists at the chosen level, to the reference elsewhere.
#include "kernels/fold.hpp"

#include "kernels/fold_simd.hpp"

namespace foldlane::kernels {

FoldFunction fold_function(Op op, Elem elem) noexcept {
  if (!valid(op, elem)) return nullptr;
  const FoldFunction simd = fold_simd_function(chosen_level(), op, elem);
  return simd != nullptr ? simd : fold_reference_function(op, elem);
}

}  // namespace foldlane::kernels
