// Combines values of subtrees of the canonical tree into the value of the subtree that they make up. Where
// the tree over the values has the shape that a k-way kernel gives it, that is one kernel call; elsewhere
// (groups that are not aligned to powers of two) a few, strip by strip through scratch.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/data/reduction.hpp"
#include "engine/groups/groups.hpp"

namespace foldlane::engine {

class SubtreeFold {
 public:
  /// `parts` are subtrees of the canonical tree; neighbours, in order, and together a subtree themselves.
  explicit SubtreeFold(std::span<const Members> parts);

  std::size_t parts() const { return parts_; }
  /// Kernel calls per strip.
  std::size_t steps() const { return steps_.size(); }

  /// dst[i] = the value of the whole, from those of the parts. dst overlaps no source.
  void operator()(const Reduction& reduction, void* dst, const void* const* sources, std::size_t count) const;

 private:
  /// Folds `count` neighbouring operands, or two that are not. Operands below parts_ are sources, the others
  /// results of earlier steps.
  struct Step {
    std::size_t first;
    std::size_t count;
    std::size_t second;  // of two
  };
  std::size_t add(std::span<const Members> parts, std::size_t first);
  void run_steps(const Reduction& reduction, void* dst, std::vector<const void*>& operands,
                 std::byte* scratch, std::size_t stride_bytes, std::size_t count) const;

  std::size_t parts_;
  std::vector<Step> steps_;  // the last one makes the result
};

}  // namespace foldlane::engine
