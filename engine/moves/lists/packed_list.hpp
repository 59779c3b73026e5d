// The blocks of a member, one behind the other, as its line lists them: where each ends, and behind that the
// blocks, if they have room there, or they are in its slot. Blocks that go otherwise have a table in the slot
// (listed_blocks.hpp), and the line tells that.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "engine/moves/movement.hpp"
#include "engine/moves/roles.hpp"
#include "engine/moves/shown_blocks.hpp"
#include "engine/moves/wrong_length.hpp"
#include "engine/team/team.hpp"

namespace foldlane::engine {

/// The number beside a giver's line: how many bytes of the list stand there, and which slot belongs to it.
class Announcement {
 public:
  /// Of a list whose blocks are in the line, or in the slot.
  static Announcement in_line(std::size_t bytes_beside) noexcept { return Announcement(bytes_beside); }
  static Announcement in_slot(std::size_t bytes_beside, std::uint32_t where) noexcept {
    return Announcement(bytes_beside | kInSlot | std::uint64_t{where} << kWhereAt);
  }
  /// Of none: a table in the slot tells of the blocks.
  static Announcement table(std::uint32_t where) noexcept {
    return Announcement(std::uint64_t{where} << kWhereAt);
  }
  /// A member's. Needs its line awaited.
  template <class Team>
  static Announcement of(Team& team, int giver, std::uint64_t epoch) noexcept {
    return Announcement(team.inline_lines().number(giver, epoch));
  }

  std::uint64_t number() const noexcept { return number_; }
  std::size_t bytes_beside() const noexcept { return number_ % kInSlot; }
  bool is_table() const noexcept { return bytes_beside() == 0; }
  bool is_in_slot() const noexcept { return (number_ & kInSlot) != 0; }
  template <class Team>
  const std::byte* slot(Team& team, int giver, std::uint64_t epoch) const noexcept {
    const auto where = static_cast<std::uint32_t>(number_ >> kWhereAt);
    return slot_at(team.membership(), giver, where, team.slots().index(epoch));
  }

 private:
  static constexpr std::uint64_t kInSlot = 256;
  static constexpr unsigned kWhereAt = 32;
  static_assert(Team::InlineLines::kBytesBesideNumber < kInSlot);

  explicit Announcement(std::uint64_t number) noexcept : number_(number) {}

  std::uint64_t number_;
};

class PackedList {
 public:
  static constexpr std::size_t kMostInLine = Team::InlineLines::kBytesBesideNumber;

  /// Whether a line has room for the ends of blocks in it, or of blocks in the slot.
  static constexpr bool fits_line(Call call, int members) noexcept {
    return count_of(call, members) <= kMostInLine;
  }
  static constexpr bool fits_slot(Call call, int members) noexcept {
    return kSlotEndBytes * count_of(call, members) <= kMostInLine;
  }

  /// Of what a member gives, in the order of members; `blocks` must outlive it.
  PackedList(Call call, const Blocks& blocks, int members, int own, std::size_t slot_bytes) noexcept
      : gives_each_(gives_block_for_each(call)), own_(own), count_(count_of(call, members)), blocks_(blocks) {
    if (!fits_line(call, members) || !list(std::min(slot_bytes, kMostPacked))) return;
    if (count_ + packed_bytes_ <= kMostInLine) {
      beside_ = count_ + packed_bytes_;
    } else if (fits_slot(call, members)) {
      beside_ = kSlotEndBytes * count_;
      is_in_slot_ = true;
    }
  }

  /// Else a table in the slot tells of the blocks.
  bool is_packed() const noexcept { return beside_ > 0; }
  bool is_in_line() const noexcept { return is_packed() && !is_in_slot_; }
  /// `where`: of the slot, if the blocks are not in the line.
  Announcement announcement(std::uint32_t where) const noexcept {
    if (!is_packed()) return Announcement::table(where);
    return is_in_slot_ ? Announcement::in_slot(beside_, where) : Announcement::in_line(beside_);
  }

  /// Needs is_packed(). `slot` is where blocks go that are not in the line.
  template <class Team>
  void pack(std::byte* line, std::byte* slot) const {
    if (is_in_slot_) {
      std::memcpy(line, ends_.data(), beside_);
      Team::Transfer::will_write(slot, packed_bytes_);
      return pack_blocks(slot);
    }
    for (std::size_t entry = 0; entry < count_; ++entry) line[entry] = static_cast<std::byte>(ends_[entry]);
    pack_blocks(line + count_);
  }

  /// What members' lines list for one of them.
  template <class Team>
  class Reader {
   public:
    Reader(Team& team, Call call, std::uint64_t epoch) noexcept
        : team_(team),
          epoch_(epoch),
          count_(count_of(call, team.size())),
          entry_(entry_of(team.rank(), gives_block_for_each(call))) {}

    /// Needs what its line announces, and that this is no table.
    UserBuffer find(int giver, const Announcement& announced) const {
      const std::byte* const line =
          team_.inline_lines().payload_beside_number(giver, epoch_, announced.bytes_beside());
      if (announced.is_in_slot()) {
        Team::Transfer::will_read(line, kSlotEndBytes * count_);
        return block_at(announced.slot(team_, giver, epoch_), entry_,
                        [line](std::size_t i) { return slot_end(line + kSlotEndBytes * i); });
      }
      Team::Transfer::will_read(line, count_);
      return block_at(line + count_, entry_,
                      [line](std::size_t i) { return static_cast<std::size_t>(line[i]); });
    }

   private:
    Team& team_;
    std::uint64_t epoch_;
    std::size_t count_;
    std::size_t entry_;
  };

 private:
  /// Behind the start of the first block: a byte in the line for blocks that are there, two for others.
  using SlotEnd = std::uint16_t;
  static constexpr std::size_t kSlotEndBytes = sizeof(SlotEnd);
  static constexpr std::size_t kMostPacked = SlotEnd(-1);

  static constexpr std::size_t count_of(Call call, int members) noexcept {
    return gives_block_for_each(call) ? static_cast<std::size_t>(members) : 1;
  }
  static std::size_t entry_of(int member, bool gives_each) noexcept {
    return gives_each ? static_cast<std::size_t>(member) : 0;
  }
  static std::size_t slot_end(const std::byte* place) noexcept {
    SlotEnd end;
    std::memcpy(&end, place, sizeof end);
    return end;
  }
  template <class EndOf>
  static UserBuffer block_at(const std::byte* start, std::size_t entry, const EndOf& end_of) noexcept {
    const std::size_t begin = entry > 0 ? end_of(entry - 1) : 0;
    return {const_cast<std::byte*>(start) + begin, end_of(entry) - begin};
  }

  /// False: they fill more than so many bytes, or one is so long that its taker may rather pull it.
  bool list(std::size_t most_packed) noexcept {
    std::size_t entry = 0;
    std::uint64_t end = 0, longest = 0;
    const auto list_up_to = [&entry, &end, ends = ends_.data()](std::size_t next) {
      for (; entry < next; ++entry) ends[entry] = static_cast<SlotEnd>(end);
    };
    for_each([&, gives_each = gives_each_](const Block& block) {
      list_up_to(entry_of(block.member, gives_each));
      longest = std::max(longest, block.buffer.bytes);
      end += block.buffer.bytes;
    });
    list_up_to(count_);
    packed_bytes_ = static_cast<std::size_t>(end);
    return longest <= kMostOfEachThroughSlots && end <= most_packed;
  }
  void pack_blocks(std::byte* place) const {
    for_each([&](const Block& block) {
      const auto bytes = static_cast<std::size_t>(block.buffer.bytes);
      block.buffer.copy_to(place, 0, bytes);
      place += bytes;
    });
  }
  /// body(block) of what others get, or of the one for all.
  template <class Body>
  void for_each(const Body& body) const {
    for_each_from(blocks_, 0, [&, own = own_, gives_each = gives_each_](const Block& block) {
      if (block.member == own) return true;
      body(block);
      return gives_each;
    });
  }

  bool gives_each_;
  int own_;
  std::size_t count_;
  const Blocks& blocks_;
  std::array<SlotEnd, kMostInLine> ends_;
  std::size_t packed_bytes_ = 0;
  std::size_t beside_ = 0;
  bool is_in_slot_ = false;
};

/// Whether lines announce what members give (announced_lists.hpp). In larger teams, where all give, the
/// tables of most would be announced, and each announcement is a line more that all read. All members know
/// that, as they know the call.
constexpr bool are_lists_announced(Call call, int members) noexcept {
  return call == Call::scatterv || call == Call::allgatherv ||
         ((call == Call::alltoallv || call == Call::alltoallw) && PackedList::fits_slot(call, members));
}

/// Copies a block from where its giver's line lists it. False: it is not as long as is expected, and the team
/// is given up.
template <class Team>
[[gnu::always_inline]] inline bool take_packed(Team& team, int giver, const UserBuffer& listed,
                                               const UserBuffer& block) {
  if (listed.bytes != block.bytes) [[unlikely]] {
    team.agreement().give_up(wrong_length(giver, team.rank(), listed.bytes, block.bytes));
    return false;
  }
  const auto bytes = static_cast<std::size_t>(listed.bytes);
  Team::Transfer::will_read(listed.address, bytes);
  block.copy_from(listed.address, 0, bytes);
  return true;
}

}  // namespace foldlane::engine
