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
struct NeighbourSide {
  std::span<const Neighbour> neighbours;
  bool has_places;  // a giver shows a block for each neighbour; else one for all
  /// A bit that tells the place of a block that is received at its giver from its own: in a grid what comes
  /// from behind has been given forward.
  int turned;

  int count() const noexcept { return static_cast<int>(neighbours.size()); }
  const Neighbour& at(int i) const noexcept { return neighbours[static_cast<std::size_t>(i)]; }
  /// Among the blocks that the giver of that one shows.
  std::size_t place_of(int block) const noexcept {
    return has_places ? static_cast<std::size_t>(block ^ turned) : 0;
  }
};

struct NeighbourRow {
  NeighbourSide side;
  std::byte* start;
  std::uint64_t bytes;   // of each block
  std::uint64_t stride;  // from one to the next; 0: all get the same one

  int count() const noexcept { return side.count(); }
  Block at(int i) const noexcept {
    const auto [rank, block] = side.at(i);
    return {rank, {start + stride * static_cast<std::uint64_t>(block), bytes}, side.place_of(block)};
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
