// Partial results of elements that are accumulated in a wider type: for algorithms that hand them on between
// ranks, and must not round them on the way.
#pragma once

#include <cstddef>

#include "kernels/fold.hpp"

namespace foldlane::kernels {

struct Widening {
  FoldFunction fold;  // on wide values, as canonical as on the elements
  void (*widen)(void* wide, const void* elements, std::size_t count) noexcept;
  void (*narrow)(void* elements, const void* wide, std::size_t count) noexcept;  // rounds
  std::size_t value_bytes;
};

/// Null if partial results are of the element's type. Otherwise narrow(fold(of parts of widened elements))
/// has the bits of one fold of all of them.
const Widening* widening(Op op, Elem elem) noexcept;

}  // namespace foldlane::kernels
