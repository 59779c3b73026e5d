// Dense blocks of one size among neighbours, one after the other: what most calls have. EqualLayout takes
// them as it takes Movement, without a virtual call for each block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/moves/movement.hpp"

namespace foldlane::engine {

/// Somebody whom a rank gives something, or gets something from, along an edge of the topology.
struct Neighbour {
  int rank;             // a member of the team
  int block;            // of this rank's buffer
  std::uint32_t place;  // among the blocks that its giver shows, if there is one for each edge
  std::uint32_t shown;  // how many these are; 0: its taker does not know
};

/// One of the two sides, in the order in which edges are matched.
struct NeighbourSide {
  std::span<const Neighbour> neighbours;
  bool has_places;  // a giver shows a block for each edge; else one for all

  int count() const noexcept { return static_cast<int>(neighbours.size()); }
  const Neighbour& at(int i) const noexcept { return neighbours[static_cast<std::size_t>(i)]; }
  /// Of the block that goes along that edge.
  void set_place(const Neighbour& edge, Block& block) const noexcept {
    block.place = has_places ? edge.place : 0;
    block.shown = has_places ? edge.shown : 1;
  }
};

struct NeighbourRow {
  NeighbourSide side;
  std::byte* start;
  std::uint64_t bytes;   // of each block
  std::uint64_t stride;  // from one to the next; 0: all get the same one

  int count() const noexcept { return side.count(); }
  Block at(int i) const noexcept {
    const Neighbour& edge = side.at(i);
    Block block{edge.rank, {start + stride * static_cast<std::uint64_t>(edge.block), bytes}};
    side.set_place(edge, block);
    return block;
  }
};

/// Both sides, which it refers to, of blocks that lines carry, all of them; the rest as in Movement.
struct NeighbourRows {
  static constexpr bool kFitsLines = true;

  const NeighbourRow* sends;
  const NeighbourRow* receives;
  std::uint64_t block_bytes;
  std::uint32_t shown_blocks;
};

}  // namespace foldlane::engine
