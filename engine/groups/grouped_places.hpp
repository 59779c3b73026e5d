// Where the values of a grouped fold stand in a slot, and which part of a chunk a member combines in each
// phase: pure, and equal on all members as far as they must agree.
//
//   slot:  input of the chunk | results of the member's part | values of its group after phase 0 | 1 | …
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "engine/data/shares.hpp"
#include "engine/groups/hierarchy.hpp"

namespace foldlane::engine {

/// Part `part` of `parts` of a range of elements. Parts end on whole lines as far as the element size allows;
/// a short range is divided into fewer, so that none but the last is smaller than `least_bytes`: each part
/// costs its readers a line of flags.
Piece part_of(const Piece& range, std::size_t parts, std::size_t part, std::size_t elem_bytes,
              std::size_t least_bytes);

class GroupedPlaces {
 public:
  static constexpr std::size_t kMostPhases = 3;
  /// Ten data lines per line of flags keep what crosses within 1.1 x of the bound.
  static constexpr std::size_t kLeastPartBytes = 1024;

  /// What an element takes in a slot: as input and as result, and as a value that groups hand on.
  struct Sizes {
    std::size_t elem_bytes;
    std::size_t value_bytes;
  };

  /// `chunk_count` as largest_chunk gave it.
  GroupedPlaces(const Hierarchy& hierarchy, std::size_t slot_bytes, const Sizes& sizes,
                std::size_t chunk_count)
      : sizes_(sizes), least_part_bytes_(std::min(kLeastPartBytes, slot_bytes / 64)) {
    lay_out(hierarchy, chunk_count);
  }
  /// Elements of the largest chunk whose values fit a slot; 0 if they are too large.
  static std::size_t largest_chunk(const Hierarchy& hierarchy, std::size_t slot_bytes, const Sizes& sizes);

  std::size_t least_part_bytes() const { return least_part_bytes_; }

  /// Byte offsets in a slot.
  std::size_t results() const { return results_; }
  std::size_t values(std::size_t phase, std::size_t output) const {
    return values_[phase] + output * stride_[phase];
  }

 private:
  std::size_t lay_out(const Hierarchy& hierarchy, std::size_t chunk_count);

  Sizes sizes_;
  std::size_t least_part_bytes_;
  std::size_t results_ = 0;
  std::array<std::size_t, kMostPhases> values_{};
  std::array<std::size_t, kMostPhases> stride_{};
};

}  // namespace foldlane::engine
