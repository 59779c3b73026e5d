// Blocks of one size, one behind the other in memory, for members of a team; or the same one for each.
#pragma once

#include <cstddef>

#include "engine/moves/movement.hpp"
#include "engine/moves/roles.hpp"

namespace foldlane::testing {

class VectorBlocks final : public engine::Blocks {
 public:
  VectorBlocks(std::byte* memory, int first_member, int members, std::size_t bytes, bool for_each) noexcept
      : memory_(memory), first_member_(first_member), members_(members), bytes_(bytes), for_each_(for_each) {}
  int count() const noexcept override { return members_; }

 private:
  engine::Block block_at(int i) const noexcept override {
    const std::size_t offset = for_each_ ? static_cast<std::size_t>(i) * bytes_ : 0;
    return {first_member_ + i, {memory_ + offset, bytes_}};
  }

  std::byte* memory_;
  int first_member_;
  int members_;
  std::size_t bytes_;
  bool for_each_;
};

/// Both sides of a member in a call on such vectors: an input of a block, or of one for each member, and the
/// result.
struct VectorMove {
  VectorMove(engine::Call call, int root, int members, int rank, std::size_t block_bytes, std::byte* send,
             std::byte* recv) noexcept
      : sends(send, send_first(call, root), send_count(call, root, members, rank), block_bytes,
              engine::gives_block_for_each(call)),
        receives(recv, receive_first(call, root), receive_count(call, root, members, rank), block_bytes,
                 true) {
    movement.sends = &sends;
    movement.receives = &receives;
    movement.first = engine::moves_from_or_to_root(call) ? 0 : (rank + 1) % members;
    movement.block_bytes = block_bytes;
  }
  VectorMove(const VectorMove&) = delete;
  VectorMove& operator=(const VectorMove&) = delete;

  VectorBlocks sends;
  VectorBlocks receives;
  engine::Movement movement;

 private:
  static bool gathers(engine::Call call) noexcept {
    return call == engine::Call::gather || call == engine::Call::gatherv;
  }
  static bool scatters(engine::Call call) noexcept {
    return engine::moves_from_or_to_root(call) && !gathers(call);
  }
  static int send_first(engine::Call call, int root) noexcept { return gathers(call) ? root : 0; }
  static int receive_first(engine::Call call, int root) noexcept { return scatters(call) ? root : 0; }
  static int send_count(engine::Call call, int root, int members, int rank) noexcept {
    if (gathers(call)) return 1;
    return engine::gives_in(call, rank == root) ? members : 0;
  }
  static int receive_count(engine::Call call, int root, int members, int rank) noexcept {
    if (scatters(call)) return 1;
    return engine::takes_in(call, rank == root) ? members : 0;
  }
};

}  // namespace foldlane::testing
