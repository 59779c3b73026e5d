// Folds of what groups hand on: inputs of members into values, values into values, values into results. Where
// partial results are wider than elements (bf16, f16), values stay wide between the groups.
#pragma once

#include <cstddef>

#include "engine/data/reduction.hpp"
#include "engine/groups/subtree_fold.hpp"

namespace foldlane::engine {

struct ValueEnds {
  bool from_elements;  // the sources are inputs
  bool to_elements;    // the destination is a result
};

/// `dst` overlaps no source.
void fold_values(const Reduction& reduction, const SubtreeFold& tree, void* dst, const void* const* sources,
                 std::size_t count, ValueEnds ends);

}  // namespace foldlane::engine
