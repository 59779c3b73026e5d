// Sums of doubles that are wrong in one bit if there are several: linked in the place of
// kernels::fold_function. Results that are timed with streaming stores are folded in strips of some dozen
// elements.
#include "kernels/fold.hpp"

using foldlane::kernels::Elem;
using foldlane::kernels::FoldFunction;
using foldlane::kernels::Op;

extern "C" {
FoldFunction __real__ZN8foldlane7kernels13fold_functionENS0_2OpENS0_4ElemE(Op op, Elem elem) noexcept;
FoldFunction __wrap__ZN8foldlane7kernels13fold_functionENS0_2OpENS0_4ElemE(Op op, Elem elem) noexcept;
}

namespace {

FoldFunction right_sum = nullptr;

void wrong_sum(void* dst, const void* const* sources, std::size_t k, std::size_t count) noexcept {
  right_sum(dst, sources, k, count);
  if (count > 1) static_cast<unsigned char*>(dst)[0] ^= 1U;
}

}  // namespace

FoldFunction __wrap__ZN8foldlane7kernels13fold_functionENS0_2OpENS0_4ElemE(Op op, Elem elem) noexcept {
  const FoldFunction right = __real__ZN8foldlane7kernels13fold_functionENS0_2OpENS0_4ElemE(op, elem);
  if (op != Op::sum || elem != Elem::f64) return right;
  right_sum = right;
  return wrong_sum;
}
