// What a member gives its neighbours in blocks of any sizes, of which nobody but the two ends of an edge
// know. Its line tells where they end, a byte for each, and carries them behind that; or says in which slot a
// table and behind it the blocks are. The table says of each block how long it is and where, or that it is so
// long, or has so little room, that a message brings it. So who takes a block compares its length with what
// it expects.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/moves/movement.hpp"
#include "engine/moves/neighbours/apart_blocks.hpp"
#include "engine/moves/neighbours/equal_layout.hpp"
#include "engine/moves/wrong_length.hpp"
#include "engine/team/team.hpp"

namespace foldlane::engine {

/// Bytes of the list of a member's blocks, and of these, if a line has room for all of it; else more than
/// that.
template <class AnyMovement>
std::uint64_t bytes_in_line(const AnyMovement& movement) noexcept {
  std::uint64_t bytes = movement.shown_blocks;
  const auto& blocks = *movement.sends;
  for (int i = 0; i < blocks.count() && bytes <= Team::InlineLines::kBytesBesideNumber; ++i)
    bytes += blocks.at(i).buffer.bytes;
  return bytes;
}
/// What carries the blocks of a member, of which a line would have to carry so many bytes. A slot may leave
/// some to messages.
inline Carrier carrier_of_list(std::uint32_t shown_blocks, std::uint64_t in_line,
                               std::size_t slot_bytes) noexcept {
  constexpr std::size_t kOfEntry = 2 * sizeof(std::uint64_t);
  if (shown_blocks == 0 || kOfEntry * shown_blocks > slot_bytes) return Carrier::message;
  return in_line <= Team::InlineLines::kBytesBesideNumber ? Carrier::line : Carrier::slot;
}

/// `AnyMovement`: Movement, or what is as it.
template <class AnyTeam, class AnyMovement = Movement>
class ListLayout {
 public:
  using Team = AnyTeam;

  ListLayout(Team& team, const AnyMovement& movement)
      : team_(team),
        movement_(movement),
        slot_bytes_(team.process().geometry().slot_bytes),
        listed_(static_cast<std::size_t>(bytes_in_line(movement))),
        carrier_(carrier_of_list(movement.shown_blocks, listed_, slot_bytes_)) {
    if (carrier_ != Carrier::line) listed_ = 0;
    if (carrier_ == Carrier::message) for_each_send([this](const Block& block) { send_apart(block); });
  }

  bool gives() const { return movement_.sends->count() > 0; }
  bool is_in_slot() const { return carrier_ == Carrier::slot && gives(); }
  void fill(std::byte* slot) {
    auto* const table = reinterpret_cast<Entry*>(slot);
    std::size_t end = sizeof(Entry) * shown();
    Team::Transfer::will_write(slot, end);
    for_each_send([&](const Block& block) {
      const auto bytes = static_cast<std::size_t>(block.buffer.bytes);
      const bool fits = bytes <= kMostBesideLengths && end + bytes <= slot_bytes_;
      table[block.place] = {bytes, fits ? end : kByMessage};
      if (!fits) return send_apart(block);
      Team::Transfer::will_write(slot + end, bytes);
      block.buffer.copy_to(slot + end, 0, bytes);
      end += (bytes + kAlignment - 1) / kAlignment * kAlignment;
    });
  }
  /// Of a line: how many bytes are listed there, at least one.
  std::uint64_t number(std::uint32_t where) const {
    return carrier_ == Carrier::slot ? kInSlot | std::uint64_t{where} << kWhereAt : listed_;
  }
  std::size_t bytes_beside() const { return listed_; }
  void pack(std::byte* line) const {
    if (listed_ == 0) return;
    std::byte* const blocks = line + shown();
    std::size_t entry = 0, end = 0;
    const auto end_up_to = [&](std::size_t next) {
      for (; entry < next; ++entry) line[entry] = static_cast<std::byte>(end);
    };
    for_each_send([&](const Block& block) {
      const auto bytes = static_cast<std::size_t>(block.buffer.bytes);
      end_up_to(block.place);
      block.buffer.copy_to(blocks + end, 0, bytes);
      end += bytes;
    });
    end_up_to(shown());
  }

  int givers() const { return movement_.receives->count(); }
  int giver(int i) const { return movement_.receives->at(i).member; }
  /// Gives the team up if a neighbour gives other than is expected.
  void take(std::uint64_t epoch) {
    const auto& blocks = *movement_.receives;
    for (int i = 0; i < blocks.count(); ++i) {
      const Block block = blocks.at(i);
      const Found found = find(block, epoch);
      if (found.bytes != block.buffer.bytes)
        return team_.agreement().give_up(
            wrong_length(block.member, team_.rank(), found.bytes, block.buffer.bytes));
      if (found.bytes == 0) continue;
      if (found.start != nullptr) {
        const auto bytes = static_cast<std::size_t>(found.bytes);
        Team::Transfer::will_read(found.start, bytes);
        block.buffer.copy_from(found.start, 0, bytes);
      } else {
        apart_.receives.push_back(block);
      }
    }
  }

  /// Once all turns are over.
  const ApartBlocks& apart() const noexcept { return apart_; }

 private:
  struct Entry {
    std::uint64_t bytes;
    std::uint64_t place;  // in the slot, or
  };
  static constexpr std::uint64_t kByMessage = ~std::uint64_t{0};
  static constexpr std::size_t kAlignment = 16;
  static constexpr std::uint64_t kInSlot = std::uint64_t{1} << 31;
  static constexpr unsigned kWhereAt = 32;

  struct Found {
    std::uint64_t bytes;
    const std::byte* start;  // null: a message brings it
  };

  std::size_t shown() const noexcept { return movement_.shown_blocks; }
  template <class Body>
  void for_each_send(const Body& body) const {
    const auto& blocks = *movement_.sends;
    for (int i = 0; i < blocks.count(); ++i) body(blocks.at(i));
  }
  [[gnu::cold]] void send_apart(const Block& block) { apart_.sends.push_back(block); }

  Found find(const Block& block, std::uint64_t epoch) const {
    const std::uint64_t number = team_.inline_lines().number(block.member, epoch);
    if (number == 0) return {block.buffer.bytes, nullptr};  // the message tells its length
    if ((number & kInSlot) == 0) return find_in_line(block, epoch, static_cast<std::size_t>(number));
    const auto where = static_cast<std::uint32_t>(number >> kWhereAt);
    const std::byte* const slot =
        slot_at(team_.membership(), block.member, where, team_.slots().index(epoch));
    const Entry& entry = reinterpret_cast<const Entry*>(slot)[block.place];
    Team::Transfer::will_read(&entry, sizeof entry);
    return {entry.bytes, entry.place == kByMessage ? nullptr : slot + entry.place};
  }
  Found find_in_line(const Block& block, std::uint64_t epoch, std::size_t listed) const {
    const std::byte* const line = team_.inline_lines().payload_beside_number(block.member, epoch, listed);
    Team::Transfer::will_read(line, block.place + 1);
    const std::size_t begin = block.place > 0 ? static_cast<std::size_t>(line[block.place - 1]) : 0;
    return {static_cast<std::size_t>(line[block.place]) - begin, line + block.shown + begin};
  }

  Team& team_;
  const AnyMovement& movement_;
  std::size_t slot_bytes_;
  std::size_t listed_;  // bytes of a list that the line carries
  Carrier carrier_;
  ApartBlocks apart_;
};

}  // namespace foldlane::engine
