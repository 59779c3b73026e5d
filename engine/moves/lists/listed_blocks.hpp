// What a member shows in its slot of long blocks, and of those of which no line tells (announced_lists.hpp):
// a table, and behind it the blocks. The table says of each block how long it is, so that who takes it can
// compare that with what it expects, and where it is. What is long, or has no room, is where its giver has
// it: in common memory, or in private memory, from which takers pull it. Else it goes in chunks, in turns of
// their own (listed_chunks.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/choice/block_choices.hpp"
#include "engine/moves/lists/listed_chunks.hpp"
#include "engine/moves/lists/pulled_blocks.hpp"
#include "engine/moves/movement.hpp"
#include "engine/moves/own_blocks.hpp"
#include "engine/moves/pull_block.hpp"
#include "engine/moves/roles.hpp"
#include "engine/moves/shown_blocks.hpp"
#include "engine/moves/wrong_length.hpp"

namespace foldlane::engine {

class ListedBlocks {
 public:
  static constexpr bool kMayLieElsewhere = false;
  static constexpr std::uint64_t count() noexcept { return 1; }
  bool are_read_in_place() const noexcept { return are_read_in_place_; }

  /// `movement`, `chunks`, which it fills in, and `way` must outlive it.
  ListedBlocks(Call call, int root, const Movement& movement, int members, int own, ChunkedLists& chunks,
               BlockChoices::Use& way) noexcept
      : call_(call),
        gives_each_(gives_block_for_each(call)),
        root_(root),
        own_(own),
        members_(members),
        movement_(movement),
        chunks_(chunks),
        way_(way) {}

  /// Whether the slots of a team have room for the table and, each with its granule, for chunks.
  static bool fit_slots(Call call, int members, std::size_t slot_bytes) noexcept {
    constexpr std::size_t kOfEntry = ChunkedLists::kGranule / sizeof(Entry);
    return 2 * kOfEntry * table_bytes(call, members) <= slot_bytes;
  }

  /// Of calls that give a block for each: where the block of `bytes` that a slot has for a member is in it,
  /// as short ones are whose root has long ones besides, or blocks for more members than a line can list.
  /// Null: it is somewhere else, or has other bytes, or chunks follow.
  template <class Team>
  static const std::byte* find_in(const std::byte* slot, int member, std::uint64_t bytes) noexcept {
    const Table& table = *reinterpret_cast<const Table*>(slot);
    const Entry& entry = table.entries()[member];
    Team::Transfer::will_read(&table, sizeof table);
    Team::Transfer::will_read(&entry, sizeof entry);
    if (table.turns > 0 || entry.bytes != bytes || (entry.place & kKinds) != 0) return nullptr;
    return slot + entry.place;
  }

  bool gives() const noexcept { return !takes_from_root() || own_ == root_; }
  bool takes() const noexcept { return takes_in(call_, own_ == root_); }
  /// Gathers of lists have texts of their own (engine/moves/rooted).
  static constexpr bool goes_to_root() noexcept { return false; }
  bool takes_from_root() const noexcept { return !takes_block_of_each(call_); }

  template <class Team>
  void fill(Team& team, std::byte* slot, std::uint64_t) {
    Table& table = *reinterpret_cast<Table*>(slot);
    std::size_t end = table_bytes(call_, members_);
    Team::Transfer::will_write(slot, end);
    for_each_from(*movement_.sends, 0, [&](const Block& block) {
      if (block.member == own_) return true;
      const auto bytes = static_cast<std::size_t>(block.buffer.bytes);
      const std::uint64_t place = place_of(team, block.buffer, end);
      table.entries()[entry_of(block.member)] = {bytes, place};
      if (place == end) {
        const UserBuffer& buffer = block.buffer;
        team.slots().pack_in(slot + end, buffer.address, buffer.type_map, buffer.start, bytes);
        end += (bytes + kAlignment - 1) / kAlignment * kAlignment;
      } else if (place == kInChunks) {
        chunks_.given.push_back({block.member, block.buffer});
      } else {
        are_read_in_place_ = true;
      }
      return gives_each_;
    });
    chunks_.cut(team.process().geometry().slot_bytes);
    chunks_.are_awaited = way_.awaits_all();
    table.turns = chunks_.turns;
    table.findings = takes_from_root() ? 0 : way_.tell(own_);
    for (const ChunkedBlock& each : chunks_.given)
      table.entries()[entry_of(each.giver)].place = kInChunks | each.offset << kOffsetAt | each.piece_bytes;
  }

  template <class Team>
  void copy_own(Team& team, std::uint64_t) const {
    copy_own_blocks(team, movement_);
  }
  template <class Team>
  void fill_ahead(Team& team, std::uint64_t epoch) const {
    chunks_.fill_ahead(team, epoch);
  }
  /// Gives the team up if a member gives other than is expected.
  template <class Team, class VectorOf>
  void take(Team& team, const VectorOf& vector_of, std::uint64_t) const {
    if (!takes_from_root()) fetch_entries(vector_of);
    for_each_from(*movement_.receives, movement_.first, [&](const Block& block) {
      return block.member == own_ || take(team, block, vector_of(block.member).start);
    });
  }
  /// The same of one block, out of its giver's slot. False: the team is given up.
  template <class Team>
  bool take(Team& team, const Block& block, const std::byte* slot) const {
    const Table& table = *reinterpret_cast<const Table*>(slot);
    const Entry& entry = table.entries()[entry_of(own_)];
    Team::Transfer::will_read(&table, sizeof table);
    Team::Transfer::will_read(&entry, sizeof entry);
    chunks_.turns = std::max(chunks_.turns, table.turns);
    if (!takes_from_root()) way_.hear(block.member, table.findings);
    if (entry.bytes != block.buffer.bytes) {
      team.agreement().give_up(wrong_length(block.member, own_, entry.bytes, block.buffer.bytes));
      return false;
    }
    if ((entry.place & kKinds) == kInChunks) {
      chunks_.taken.push_back(
          {block.member, block.buffer, entry.place >> kOffsetAt & kMostOffset, entry.place & kMostOffset});
    } else if (entry.bytes > 0 && !take_from_place(team, block, slot, entry.place)) {
      const bool has_ended = Team::Transfer::has_ended(process_of(team, block.member));
      team.agreement().give_up_unread(block.member, has_ended);
      return false;
    }
    return true;
  }

 private:
  struct Entry {
    std::uint64_t bytes;
    std::uint64_t place;  // in the slot, or one of these and more:
  };
  static constexpr std::uint64_t kInCommon = std::uint64_t{1} << 63;   // how far behind its start
  static constexpr std::uint64_t kInPrivate = std::uint64_t{1} << 62;  // the address
  static constexpr std::uint64_t kInChunks = std::uint64_t{1} << 61;   // the part of the slot, and its length
  static constexpr std::uint64_t kKinds = kInCommon | kInPrivate | kInChunks;
  static constexpr unsigned kOffsetAt = 30;
  static constexpr std::uint64_t kMostOffset = (std::uint64_t{1} << kOffsetAt) - 1;
  struct Table {
    std::uint64_t turns;     // of the giver's chunks
    std::uint64_t findings;  // the giver's, of what is quicker pulled (engine/choice/block_choices.hpp)

    Entry* entries() noexcept { return reinterpret_cast<Entry*>(this + 1); }
    const Entry* entries() const noexcept { return reinterpret_cast<const Entry*>(this + 1); }
  };
  static constexpr std::size_t kAlignment = 16;

  static std::size_t table_bytes(Call call, int members) noexcept {
    return sizeof(Table) +
           sizeof(Entry) * (gives_block_for_each(call) ? static_cast<std::size_t>(members) : 1);
  }
  std::size_t entry_of(int member) const noexcept {
    return gives_each_ ? static_cast<std::size_t>(member) : 0;
  }

  /// All at once, before one is looked at after the other (8 ranks on 2 CPUs, blocks of 8 B, without and
  /// with: alltoallv 15.2 and 13.5 us).
  template <class VectorOf>
  void fetch_entries(const VectorOf& vector_of) const noexcept {
    for (int member = 0; member < members_; ++member) {
      const std::byte* const slot = vector_of(member).start;
      kernels::prefetch(slot, sizeof(Table));
      kernels::prefetch(slot + sizeof(Table) + sizeof(Entry) * entry_of(own_), sizeof(Entry));
    }
  }

  /// Where the next block goes, if the slot is free from `end` on. What everybody reads goes there once
  /// instead of once to each.
  template <class Team>
  std::uint64_t place_of(Team& team, const UserBuffer& block, std::size_t end) {
    const auto bytes = static_cast<std::size_t>(block.bytes);
    const std::size_t slot_bytes = team.process().geometry().slot_bytes;
    if (bytes <= kMostOfEachThroughSlots && end + bytes <= slot_bytes) return end;  // however it goes
    const bool may_be_pulled =
        block.contiguous() && team.slots().block_choices().permission() == Permission::granted;
    const std::size_t most = !gives_each_    ? slot_bytes
                             : may_be_pulled ? kMostOfEachThroughSlots
                                             : kMostThroughSlots;
    if (bytes <= most && end + bytes <= slot_bytes) return end;
    if (!block.contiguous() || bytes < team.slots().block_choices().from_bytes()) return kInChunks;
    const CommonMemory& common = team.process().common();
    if (common.holds(block.address, bytes)) return kInCommon | common.offset_of(block.address);
    return way_.pulls(bytes, !takes_from_root()) ? kInPrivate | reinterpret_cast<std::uint64_t>(block.address)
                                                 : kInChunks;
  }
  /// False: the system has refused.
  template <class Team>
  static bool take_from_place(Team& team, const Block& block, const std::byte* slot, std::uint64_t place) {
    if ((place & kInPrivate) != 0)
      return pull_block<Team>(process_of(team, block.member), place & ~kInPrivate, block.buffer);
    const std::byte* const from =
        (place & kInCommon) != 0 ? team.process().common().at(place & ~kInCommon) : slot + place;
    const auto bytes = static_cast<std::size_t>(block.buffer.bytes);
    Team::Transfer::will_read(from, bytes);
    block.buffer.copy_from(from, 0, bytes);
    return true;
  }

  Call call_;
  bool gives_each_;
  int root_;
  int own_;
  int members_;
  const Movement& movement_;
  ChunkedLists& chunks_;
  BlockChoices::Use& way_;
  bool are_read_in_place_ = false;
};

}  // namespace foldlane::engine
