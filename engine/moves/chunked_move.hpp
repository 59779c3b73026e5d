// Long blocks of one size, chunk by chunk through the slots of those who give them. Who has all of its blocks
// in the heaps of the segment says where they are instead, and the others copy straight from there: only the
// giver knows, and the mark of each chunk tells the others (as in engine/algorithms/broadcast_direct.hpp).
// Its buffer is the caller's again when all have finished.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/algorithms/turns.hpp"
#include "engine/moves/copy_block.hpp"
#include "engine/moves/movement.hpp"
#include "engine/moves/roles.hpp"
#include "engine/team/team.hpp"

namespace foldlane::engine {

/// `kTurnsAhead`: how many slots a member fills ahead of those it has read. Where ranks share CPUs each turn
/// costs every one of them a switch, and all slots at a time a quarter of that.
template <class AnyTeam, std::uint64_t kTurnsAhead>
class ChunkedMove {
 public:
  using Team = AnyTeam;
  static constexpr std::uint64_t kAhead = kTurnsAhead;

  /// `chunk_bytes` of each block go in a turn.
  ChunkedMove(Team& team, Call call, int root, const Movement& movement, std::size_t chunk_bytes)
      : team_(team),
        call_(call),
        root_(root),
        movement_(movement),
        chunk_bytes_(chunk_bytes),
        chunks_((movement.block_bytes + chunk_bytes - 1) / chunk_bytes),
        own_(own_block(movement, team.rank())),
        common_(vector_in_common_memory()),
        first_epoch_(team.epochs().begin(chunks_)) {}

  /// The last turn of who has shown its own buffer: nobody reads it any more.
  std::uint64_t count() const { return chunks_ + (common_ == nullptr ? 0 : 1); }

  /// A root that gathers has a place, too: it awaits everybody's.
  bool gives(std::uint64_t turn) const {
    return turn < chunks_ && (!is_from_root() || team_.rank() == root_);
  }
  template <class How>
  Progress await_free(How& how, std::uint64_t turn) {
    return how.slot_free(team_, first_epoch_ + turn);
  }
  void give(std::uint64_t turn) {
    const std::uint64_t epoch = first_epoch_ + turn;
    if (common_ != nullptr) {
      team_.slots().publish_elsewhere(epoch, team_.process().common().offset_of(common_));
    } else {
      if (gives_blocks()) fill(team_.slots().own(epoch), turn);
      team_.slots().publish_filled(epoch);
    }
    copy_own(turn);
  }

  bool takes(std::uint64_t turn) const { return turn == chunks_ || takes_in(call_, team_.rank() == root_); }
  template <class How>
  Progress await_given(How& how, std::uint64_t turn) {
    const std::uint64_t epoch = first_epoch_ + turn;
    if (turn == chunks_) return how.wait(team_.waits().all_finished(epoch - 1));
    if (is_from_root()) return how.filled(team_, root_, epoch);
    return how.wait(team_.waits().all_filled(epoch, finished_before(turn)));
  }
  void take(std::uint64_t turn) {
    if (turn == chunks_) return;
    for_each_from(*movement_.receives, movement_.first, [&](const Block& block) {
      if (block.member != team_.rank() && block.buffer.bytes > 0) take_from(block, turn);
      return true;
    });
  }
  void finish(std::uint64_t turn) {
    if (turn < chunks_) team_.epochs().finish(first_epoch_ + turn);
  }

 private:
  bool is_from_root() const { return call_ == Call::scatter; }
  /// The root of a gather shows an empty place.
  bool gives_blocks() const { return gives_in(call_, team_.rank() == root_); }
  /// Turn t is given when t - kAhead - 1 is finished.
  std::uint64_t finished_before(std::uint64_t turn) const {
    return first_epoch_ - 1 + (turn <= kAhead ? 0 : turn - kAhead);
  }
  std::size_t block_bytes() const { return static_cast<std::size_t>(movement_.block_bytes); }
  std::size_t offset(std::uint64_t turn) const { return static_cast<std::size_t>(turn) * chunk_bytes_; }
  std::size_t bytes(std::uint64_t turn) const { return std::min(chunk_bytes_, block_bytes() - offset(turn)); }
  /// Which of the blocks that a member gives is the one for `member`.
  std::size_t place_of(int member) const {
    return gives_block_for_each(call_) ? static_cast<std::size_t>(member) : 0;
  }

  /// The place of the next block from `i` on. In place a member's own one is missing.
  int next_block(int i) const {
    const Blocks& blocks = *movement_.sends;
    while (i < blocks.count() && blocks.at(i).buffer.bytes == 0) ++i;
    return i;
  }
  UserBuffer block(int i) const { return movement_.sends->at(i).buffer; }

  /// This member's blocks, if others can read them where they are and nobody writes there meanwhile.
  const std::byte* vector_in_common_memory() const {
    const int first = next_block(0);
    if (!gives_blocks() || movement_.replaces || first == movement_.sends->count()) return nullptr;
    if (!block(first).contiguous()) return nullptr;
    const std::byte* start = block(first).address;
    std::size_t bytes = block_bytes();
    if (gives_block_for_each(call_)) {
      const int second = next_block(first + 1);
      const auto between = static_cast<std::size_t>(second - first) * block_bytes();
      if (second < movement_.sends->count() && block(second).address != start + between) return nullptr;
      start -= static_cast<std::size_t>(first) * block_bytes();
      bytes *= static_cast<std::size_t>(team_.size());
    }
    return team_.process().common().holds(start, bytes) ? start : nullptr;
  }

  void fill(std::byte* slot, std::uint64_t turn) {
    const int count = movement_.sends->count();
    for (int i = next_block(0); i < count; i = next_block(i + 1)) {
      const bool is_own = gives_block_for_each(call_) && i == team_.rank();
      if (!is_own) fill_with(block(i), slot + place_of(i) * chunk_bytes_, turn);
      if (!gives_block_for_each(call_)) return;
    }
  }
  void fill_with(const UserBuffer& block, std::byte* place, std::uint64_t turn) {
    team_.slots().pack_in(place, block.address, block.type_map, block.start + offset(turn), bytes(turn));
  }
  void take_from(const Block& block, std::uint64_t turn) {
    const std::byte* from = team_.slots().elsewhere(block.member, first_epoch_ + turn);
    if (from != nullptr) {
      from += place_of(team_.rank()) * block_bytes() + offset(turn);
    } else {
      from = team_.slots().of(block.member, first_epoch_ + turn) + place_of(team_.rank()) * chunk_bytes_;
    }
    Team::Transfer::will_read(from, bytes(turn));
    block.buffer.copy_from(from, offset(turn), bytes(turn));
  }
  void copy_own(std::uint64_t turn) {
    if (own_.from.bytes == 0) return;
    copy_block(own_.to.part(offset(turn), bytes(turn)), own_.from.part(offset(turn), bytes(turn)));
  }

  Team& team_;
  Call call_;
  int root_;
  const Movement& movement_;
  std::size_t chunk_bytes_;
  std::uint64_t chunks_;
  OwnBlock own_;
  const std::byte* common_;  // null: through slots
  std::uint64_t first_epoch_;
};

}  // namespace foldlane::engine
