// What of lists goes in chunks, after the turn of their tables (listed_blocks.hpp): a giver's slot is cut for
// its long blocks in proportion, so that they end at about the same time, however unequal they are. The
// tables say who takes what from where, and how many turns that is: all members take part in the most that
// one of them needs. Slots that are free are filled before, while the others come to the turn of the tables.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/choice/store_choices.hpp"
#include "engine/moves/movement.hpp"
#include "engine/moves/roles.hpp"
#include "engine/moves/shown_blocks.hpp"
#include "engine/team/call_info.hpp"

namespace foldlane::engine {

/// A block, and the part of its giver's slot that it goes through.
struct ChunkedBlock {
  int giver;
  UserBuffer buffer;
  std::size_t offset = 0;
  std::size_t piece_bytes = 0;

  /// Of a turn; 0: it has come to its end.
  std::size_t bytes_in(std::uint64_t turn) const noexcept {
    const std::uint64_t done = std::min(buffer.bytes, turn * piece_bytes);
    return static_cast<std::size_t>(std::min<std::uint64_t>(piece_bytes, buffer.bytes - done));
  }
};

struct ChunkedLists {
  std::vector<ChunkedBlock> given;
  std::vector<ChunkedBlock> taken;
  std::uint64_t turns = 0;
  std::uint64_t filled = 0;  // turns whose slots are
  bool are_awaited = false;  // by this member: the call is over when all have finished

  /// Cuts a slot for what is given, by this member alone.
  void cut(std::size_t slot_bytes) noexcept {
    if (given.empty()) return;
    const std::uint64_t whole_granules = slot_bytes - given.size() * kGranule;
    turns = (bytes_of(given) + whole_granules - 1) / whole_granules;
    std::size_t end = 0;
    for (ChunkedBlock& each : given) {
      const auto piece = static_cast<std::size_t>((each.buffer.bytes + turns - 1) / turns);
      each.offset = end;
      each.piece_bytes = (piece + kGranule - 1) / kGranule * kGranule;
      end += each.piece_bytes;
    }
  }

  /// What is given in a turn.
  template <class Team>
  void fill(Team& team, std::byte* slot, std::uint64_t turn) const {
    for (const ChunkedBlock& each : given) {
      const UserBuffer& buffer = each.buffer;
      if (const std::size_t bytes = each.bytes_in(turn); bytes > 0)
        team.slots().pack_in(slot + each.offset, buffer.address, buffer.type_map,
                             buffer.start + turn * each.piece_bytes, bytes);
    }
  }
  /// The slots from `epoch` on, as far as they are free and not that of the table. Of own turns: before those
  /// of others are known.
  template <class Team>
  void fill_ahead(Team& team, std::uint64_t epoch) {
    const auto slots = static_cast<std::uint64_t>(team.process().geometry().slots);
    for (; filled < turns && filled + 1 < slots && team.waits().is_slot_free(epoch + filled); ++filled)
      fill(team, team.slots().own(epoch + filled), filled);
  }

  std::uint64_t bytes() const noexcept { return bytes_of(given) + bytes_of(taken); }

  /// To which pieces are rounded up: a slot has room for one of each block, and more.
  static constexpr std::size_t kGranule = 64;

 private:
  static std::uint64_t bytes_of(const std::vector<ChunkedBlock>& blocks) noexcept {
    std::uint64_t sum = 0;
    for (const ChunkedBlock& each : blocks) sum += each.buffer.bytes;
    return sum;
  }
};

/// What a member shows in the turns of the chunks.
class ListedChunks {
 public:
  static constexpr bool kMayLieElsewhere = false;
  bool are_read_in_place() const noexcept { return lists_.are_awaited; }

  /// `lists` must outlive it. `stores`: of what is taken.
  ListedChunks(Call call, int root, const Movement&, int, int own, const ChunkedLists& lists, Arm stores)
      : takes_from_root_(!takes_block_of_each(call)), is_root_(own == root), lists_(lists), stores_(stores) {}

  std::uint64_t count() const noexcept { return lists_.turns; }
  bool gives() const noexcept { return !takes_from_root_ || is_root_; }
  bool takes() const noexcept { return !takes_from_root_ || !is_root_; }
  bool takes_from_root() const noexcept { return takes_from_root_; }
  static constexpr bool goes_to_root() noexcept { return false; }

  template <class Team>
  void fill(Team& team, std::byte* slot, std::uint64_t turn) const {
    if (turn >= lists_.filled) lists_.fill(team, slot, turn);
  }
  template <class Team>
  static void copy_own(Team&, std::uint64_t) {}
  template <class Team, class VectorOf>
  void take(Team&, const VectorOf& vector_of, std::uint64_t turn) const {
    for (const ChunkedBlock& each : lists_.taken) {
      const std::size_t bytes = each.bytes_in(turn);
      if (bytes == 0) continue;
      const std::byte* const from = vector_of(each.giver).start + each.offset;
      Team::Transfer::will_read(from, bytes);
      each.buffer.copy_from(from, turn * each.piece_bytes, bytes, copy_by(stores_));
    }
  }

 private:
  bool takes_from_root_;
  bool is_root_;
  const ChunkedLists& lists_;
  Arm stores_;
};

}  // namespace foldlane::engine
