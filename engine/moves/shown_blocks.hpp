// What a member shows to all in a call whose blocks have one size: its vector of blocks, one for each member,
// or the same block for everybody. And what it takes from what others show.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/choice/store_choices.hpp"
#include "engine/groups/groups.hpp"
#include "engine/moves/copy_block.hpp"
#include "engine/moves/movement.hpp"
#include "engine/moves/roles.hpp"
#include "engine/team/call_info.hpp"
#include "engine/team/transfer.hpp"

namespace foldlane::engine {

/// Bytes that a member shows.
constexpr std::uint64_t shown_bytes(Call call, std::uint64_t block_bytes, int members) noexcept {
  return gives_block_for_each(call) ? block_bytes * static_cast<std::uint64_t>(members) : block_bytes;
}

/// Longer blocks go in chunks or by messages, which find them in heaps of the segment.
inline constexpr std::uint64_t kMostThroughSlots = 32 << 10;
/// Of a block for each member all are copied twice, which pulling saves (8 ranks on 2 CPUs, far, alltoall and
/// scatter through slots and as lists, which time both ways: 16 KiB 108 and 114 us, 26 and 27; 32 KiB 279 and
/// 197, 34 and 29; 64 KiB in chunks 478 and 385, 52 and 41).
inline constexpr std::uint64_t kMostOfEachThroughSlots = 16 << 10;
constexpr bool fit_slots(Call call, std::uint64_t block_bytes, std::uint64_t shown,
                         std::size_t slot_bytes) noexcept {
  return block_bytes <= (gives_block_for_each(call) ? kMostOfEachThroughSlots : kMostThroughSlots) &&
         shown <= slot_bytes;
}

/// Where a member's vector is.
struct ShownVector {
  const std::byte* start;
  bool has_whole_blocks;  // else such parts of them as go in this turn
};

/// In one turn.
class ShownBlocks {
 public:
  /// Whether some members' vectors are not in their places.
  static constexpr bool kMayLieElsewhere = false;
  static constexpr std::uint64_t count() noexcept { return 1; }
  /// Whether others read this member's own buffers, which they may do until all have finished.
  static constexpr bool are_read_in_place() noexcept { return false; }

  /// `movement` must outlive it.
  ShownBlocks(Call call, int root, const Movement& movement, int members, int own) noexcept
      : call_(call), root_(root), own_(own), members_(members), movement_(movement) {}

  std::size_t block_bytes() const noexcept { return static_cast<std::size_t>(movement_.block_bytes); }
  std::size_t bytes() const noexcept {
    return static_cast<std::size_t>(shown_bytes(call_, movement_.block_bytes, members_));
  }
  /// A root that gathers has a place, too: it awaits everybody's.
  bool gives() const noexcept { return !takes_from_root() || own_ == root_; }
  /// A root of a scatter takes from nobody.
  bool takes() const noexcept { return takes_in(call_, own_ == root_); }
  /// Whether nobody but the root takes what this member shows.
  bool goes_to_root() const noexcept { return call_ == Call::gather && own_ != root_; }
  /// Whom it takes from: the root alone, or everybody.
  bool takes_from_root() const noexcept { return !takes_block_of_each(call_); }

  /// Where all of it lies as it is shown: null if it must be packed, kNoInput if there is nothing. A block
  /// that is missing there, in place, is shown too: they are of one buffer.
  const std::byte* in_one_piece() const;
  void pack(std::byte* place) const {
    for_each_shown({0, members_}, [&](const UserBuffer& block, std::size_t at) {
      block.copy_to(place + at * block_bytes(), 0, block_bytes());
    });
  }
  /// All of it, into a slot.
  template <class Team>
  void fill(Team& team, std::byte* place, std::uint64_t) const {
    if (const std::byte* const vector = in_one_piece()) {
      team.slots().pack_in(place, vector, nullptr, 0, bytes());
    } else {
      fill_part(team, place, whole());
    }
  }

  /// Only what it gives to `members`.
  template <class Team>
  void fill_for(Team& team, std::byte* place, const Members& members) const {
    const std::size_t before = static_cast<std::size_t>(members.first) * block_bytes();
    if (const std::byte* const vector = in_one_piece()) {
      team.slots().pack_in(place, vector == kNoInput ? kNoInput : vector + before, nullptr, 0,
                           static_cast<std::size_t>(members.count) * block_bytes());
    } else {
      fill_part(team, place, whole(), members);
    }
  }

  /// Not from where it is shown: to read back what was written a moment ago would wait for it. In place its
  /// own block is there already.
  template <class Team>
  void copy_own(Team&, std::uint64_t) const {
    const OwnBlock block = own_block(movement_, own_);
    if (block.from.bytes > 0) copy_block(block.to, block.from);
  }
  /// `vector_of(member)` is what that one shows.
  template <class Team, class VectorOf>
  void take(Team&, const VectorOf& vector_of, std::uint64_t) const {
    take_part<Team>(vector_of, whole());
  }

 protected:
  /// What of each block goes in a turn.
  struct Part {
    std::uint64_t offset;
    std::size_t bytes;
    std::size_t step;  // from one to the next in a slot
  };

  const Movement& movement() const noexcept { return movement_; }
  int own() const noexcept { return own_; }
  int members() const noexcept { return members_; }
  bool gives_each() const noexcept { return gives_block_for_each(call_); }
  /// Nobody takes what the root of a gather shows, but leaders of groups copy it with what lies beside it.
  bool others_take() const noexcept { return gives_in(call_, own_ == root_); }
  template <class Team>
  void fill_part(Team& team, std::byte* place, const Part& part) const {
    fill_part(team, place, part, {0, members_});
  }
  template <class Team, class VectorOf>
  void take_part(const VectorOf& vector_of, const Part& part, Arm stores = Arm::first) const {
    const std::size_t before = gives_each() ? static_cast<std::size_t>(own_) : 0;
    const std::size_t in_whole = before * block_bytes() + part.offset, in_parts = before * part.step;
    for_each_from(*movement_.receives, movement_.first, [=, own = own_](const Block& block) {
      if (block.member == own || block.buffer.bytes == 0) return true;
      const ShownVector vector = vector_of(block.member);
      const std::byte* const from = vector.start + (vector.has_whole_blocks ? in_whole : in_parts);
      Team::Transfer::will_read(from, part.bytes);
      block.buffer.copy_from(from, part.offset, part.bytes, copy_by(stores));
      return true;
    });
  }

 private:
  template <class Team>
  void fill_part(Team& team, std::byte* place, const Part& part, const Members& members) const {
    for_each_shown(members, [&](const UserBuffer& block, std::size_t at) {
      team.slots().pack_in(place + at * part.step, block.address, block.type_map, block.start + part.offset,
                           part.bytes);
    });
  }
  Part whole() const noexcept { return {0, block_bytes(), block_bytes()}; }
  /// The place of the next block from `i` on, the number of all if there is none. In place a member's own one
  /// is missing.
  int next_block(int i) const;
  /// body(block, its place in the vector) of those that others take; of blocks for each, for these members
  /// only, from the first of them on.
  template <class Body>
  void for_each_shown(const Members& members, const Body& body) const {
    const Blocks& blocks = *movement_.sends;
    const int end = std::min(members.end(), blocks.count());
    for (int i = next_block(members.first); i < end; i = next_block(i + 1)) {
      if (!gives_each()) return body(blocks.at(i).buffer, 0);
      if (i != own_) body(blocks.at(i).buffer, static_cast<std::size_t>(i - members.first));
    }
  }

  Call call_;
  int root_;
  int own_;
  int members_;
  const Movement& movement_;
};

}  // namespace foldlane::engine
