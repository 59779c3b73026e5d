// Dense blocks of one size among neighbours, one after the other: what most calls have. NeighbourMove takes
// them as it takes Movement, without a virtual call for each block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/moves/movement.hpp"

namespace foldlane::engine {

struct Neighbour {
  int rank;   // a member of the team
  int block;  // its place in the buffer
};

/// One of the two sides, in the order in which blocks are matched.
struct NeighbourRow {
  std::span<const Neighbour> neighbours;
  std::byte* start = nullptr;
  std::uint64_t bytes = 0;   // of each block
  std::uint64_t stride = 0;  // from one to the next; 0: all get the same one
  bool has_places = false;   // a giver shows a block for each neighbour; else one for all
  /// A bit that tells the place of a block that is received at its giver from its own: in a grid what comes
  /// from behind has been given forward.
  int turned = 0;

  int count() const noexcept { return static_cast<int>(neighbours.size()); }
  Block at(int i) const noexcept {
    const auto [rank, block] = neighbours[static_cast<std::size_t>(i)];
    return {rank,
            {start + stride * static_cast<std::uint64_t>(block), bytes},
            has_places ? static_cast<std::size_t>(block ^ turned) : 0};
  }
};

/// Both sides, which it refers to; the rest as in Movement.
struct NeighbourRows {
  const NeighbourRow* sends;
  const NeighbourRow* receives;
  std::uint64_t block_bytes;
  std::size_t shown_blocks;
};

}  // namespace foldlane::engine
