// Long blocks of one size, chunk by chunk through the slots of those who give them. Who has all of its blocks
// in the heaps of the segment says where they are instead, and the others copy straight from there: only the
// giver knows, and the mark of each chunk tells the others (as in engine/algorithms/broadcast_direct.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/moves/shown_blocks.hpp"
#include "engine/team/process.hpp"

namespace foldlane::engine {

class ChunkedBlocks : public ShownBlocks {
 public:
  static constexpr bool kMayLieElsewhere = true;

  /// `chunk_bytes` of each block go in a turn. `stores`: of what is taken.
  ChunkedBlocks(Call call, int root, const Movement& movement, int members, int own,
                const CommonMemory& common, std::size_t chunk_bytes, Arm stores)
      : ShownBlocks(call, root, movement, members, own),
        chunk_bytes_(chunk_bytes),
        chunks_((movement.block_bytes + chunk_bytes - 1) / chunk_bytes),
        stores_(stores),
        own_block_(own_block(movement, own)),
        elsewhere_(vector_in(common)) {}

  std::uint64_t count() const noexcept { return chunks_; }
  /// This member's vector, if others can read it where it is and nobody writes there meanwhile; else null.
  const std::byte* elsewhere() const noexcept { return elsewhere_; }
  bool are_read_in_place() const noexcept { return elsewhere_ != nullptr; }

  template <class Team>
  void fill(Team& team, std::byte* place, std::uint64_t turn) const {
    if (others_take()) fill_part(team, place, part(turn));
  }
  template <class Team>
  void copy_own(Team&, std::uint64_t turn) const {
    if (own_block_.from.bytes == 0) return;
    const Part of = part(turn);
    copy_block(own_block_.to.part(of.offset, of.bytes), own_block_.from.part(of.offset, of.bytes));
  }
  template <class Team, class VectorOf>
  void take(Team&, const VectorOf& vector_of, std::uint64_t turn) const {
    take_part<Team>(vector_of, part(turn), stores_);
  }

 private:
  Part part(std::uint64_t turn) const noexcept {
    const std::size_t offset = static_cast<std::size_t>(turn) * chunk_bytes_;
    return {offset, std::min(chunk_bytes_, block_bytes() - offset), chunk_bytes_};
  }
  const std::byte* vector_in(const CommonMemory& common) const {
    const std::byte* const vector = in_one_piece();
    const bool is_read_in_place = others_take() && !movement().replaces;
    return is_read_in_place && common.holds(vector, bytes()) ? vector : nullptr;
  }

  std::size_t chunk_bytes_;
  std::uint64_t chunks_;
  Arm stores_;
  OwnBlock own_block_;
  const std::byte* elsewhere_;
};

}  // namespace foldlane::engine
