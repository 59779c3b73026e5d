// What a member shows to all in a call whose blocks have one size: its vector of blocks, one for each member,
// or the same block for everybody. And what it takes from what others show.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/moves/movement.hpp"
#include "engine/moves/roles.hpp"
#include "engine/team/call_info.hpp"

namespace foldlane::engine {

/// Bytes that a member shows.
constexpr std::uint64_t shown_bytes(Call call, std::uint64_t block_bytes, int members) noexcept {
  return gives_block_for_each(call) ? block_bytes * static_cast<std::uint64_t>(members) : block_bytes;
}

/// Longer blocks go in chunks or by messages, which find them in heaps of the segment.
inline constexpr std::uint64_t kMostThroughSlots = 32 << 10;
constexpr bool fit_slots(std::uint64_t block_bytes, std::uint64_t shown, std::size_t slot_bytes) noexcept {
  return block_bytes <= kMostThroughSlots && shown <= slot_bytes;
}

class ShownBlocks {
 public:
  /// `movement` must outlive it.
  ShownBlocks(Call call, int root, const Movement& movement, int members, int own) noexcept
      : call_(call), root_(root), own_(own), members_(members), movement_(movement) {}

  std::size_t bytes() const noexcept {
    return static_cast<std::size_t>(shown_bytes(call_, movement_.block_bytes, members_));
  }
  /// A root that gathers has a place, too: it awaits everybody's.
  bool gives() const noexcept { return !takes_from_root() || own_ == root_; }
  /// A root of a scatter takes from nobody.
  bool takes() const noexcept { return takes_in(call_, own_ == root_); }
  /// Whom it takes from: the root alone, or everybody.
  bool takes_from_root() const noexcept { return call_ == Call::scatter; }

  /// Where all of it lies as it is shown: null if it must be packed, kNoInput if there is nothing, as at a
  /// root in place.
  const std::byte* in_one_piece() const;
  void pack(std::byte* place) const;
  /// All of it, into a slot.
  template <class Team>
  void fill(Team& team, std::byte* place) const {
    if (const std::byte* const vector = in_one_piece()) {
      team.slots().pack_in(place, vector, nullptr, 0, bytes());
    } else {
      Team::Transfer::will_write(place, bytes());
      pack(place);
    }
  }

  /// In place its own block is there already.
  template <class Team>
  void copy_own(Team&) const {
    copy_own();
  }
  /// `place_of(member)` is where that one's lie.
  template <class Team, class PlaceOf>
  void take(Team&, const PlaceOf& place_of) const {
    for_each_from(*movement_.receives, movement_.first, [&](const Block& block) {
      if (block.member == own_ || block.buffer.bytes == 0) return true;
      const std::byte* const place = place_of(block.member) + own_offset();
      Team::Transfer::will_read(place, block_bytes());
      block.buffer.copy_from(place, 0, block_bytes());
      return true;
    });
  }

 private:
  std::size_t block_bytes() const noexcept { return static_cast<std::size_t>(movement_.block_bytes); }
  std::size_t own_offset() const noexcept {
    return gives_block_for_each(call_) ? static_cast<std::size_t>(own_) * block_bytes() : 0;
  }
  void copy_own() const;

  Call call_;
  int root_;
  int own_;
  int members_;
  const Movement& movement_;
};

}  // namespace foldlane::engine
