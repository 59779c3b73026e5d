// Where the root of a gather wants long blocks, if its buffer lies in a heap of the segment. A leaf that has
// asked copies its block there: all of them at once, instead of the root one after the other. The root's line
// tells where the table of places is, in its slot.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/moves/movement.hpp"
#include "engine/moves/shown_blocks.hpp"
#include "engine/moves/shown_length.hpp"
#include "engine/team/team.hpp"

namespace foldlane::engine {

/// The number beside a leaf's line: how long its block is, in which slot, and whether it asks.
class ToldByLeaf {
 public:
  explicit ToldByLeaf(const ShownLength& length, bool asks) noexcept
      : number_(length.number() | (asks ? kAsks : 0)) {}
  /// A member's. Needs its line awaited.
  template <class Team>
  static ToldByLeaf of(Team& team, int leaf, std::uint64_t epoch) noexcept {
    return ToldByLeaf(team.inline_lines().number(leaf, epoch));
  }

  std::uint64_t number() const noexcept { return number_; }
  ShownLength length() const noexcept { return ShownLength(number_ & ~kAsks); }
  bool asks() const noexcept { return (number_ & kAsks) != 0; }

 private:
  static constexpr std::uint64_t kAsks = ShownLength::kUnused;

  explicit ToldByLeaf(std::uint64_t number) noexcept : number_(number) {}

  std::uint64_t number_;
};

class GatherPlaces {
 public:
  /// The number beside the root's line: where its slot is, or that there is no table.
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

  struct Place {
    static constexpr std::uint64_t kNowhere = ~std::uint64_t{0};

    std::uint64_t bytes;
    std::uint64_t common;  // behind the start of the common memory
  };

  /// Shorter blocks are at their root sooner by a slot, or beside a line.
  static constexpr bool may_have_place(std::uint64_t bytes) noexcept { return bytes > kMostThroughSlots; }

  /// Whether the root has a place to offer to any of the others.
  static bool are_any(const CommonMemory& common, const Blocks& receives, int own, int members,
                      std::size_t slot_bytes) noexcept {
    if (sizeof(Place) * static_cast<std::size_t>(members) > slot_bytes) return false;
    bool any = false;
    for_each_from(receives, 0, [&](const Block& block) {
      any = block.member != own && may_have_place(block.buffer.bytes) && has_place(common, block.buffer);
      return !any;
    });
    return any;
  }
  static bool has_place(const CommonMemory& common, const UserBuffer& block) noexcept {
    return block.contiguous() && common.holds(block.address, block.bytes);
  }

  /// Of all blocks, into the root's slot.
  template <class Team>
  static void fill(Team& team, const Blocks& receives, std::byte* slot) {
    Team::Transfer::will_write(slot, sizeof(Place) * static_cast<std::size_t>(team.size()));
    const CommonMemory& common = team.process().common();
    for_each_from(receives, 0, [&, places = reinterpret_cast<Place*>(slot)](const Block& block) {
      const bool is_there = has_place(common, block.buffer);
      places[block.member] = {block.buffer.bytes,
                              is_there ? common.offset_of(block.buffer.address) : Place::kNowhere};
      return true;
    });
  }
  /// Of this member's. Needs the root's line awaited, and that it tells of a table.
  template <class Team>
  static const Place& find(Team& team, int root, std::uint64_t told, std::uint64_t epoch) noexcept {
    const std::byte* const slot =
        slot_at(team.membership(), root, static_cast<std::uint32_t>(told), team.slots().index(epoch));
    const Place& place = reinterpret_cast<const Place*>(slot)[team.rank()];
    Team::Transfer::will_read(&place, sizeof place);
    return place;
  }
};

}  // namespace foldlane::engine
