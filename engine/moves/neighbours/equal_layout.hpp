// What a member gives its neighbours in blocks of one size: one behind the other, or the same one for all. It
// may have another size than that of others, of which nobody but its neighbours know. So its line tells the
// size, and who takes a block compares that with what it expects.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/moves/carrier.hpp"
#include "engine/moves/movement.hpp"
#include "engine/moves/neighbours/apart_blocks.hpp"
#include "engine/moves/neighbours/neighbour_rows.hpp"
#include "engine/moves/shown_length.hpp"
#include "engine/moves/wrong_length.hpp"
#include "engine/team/team.hpp"

namespace foldlane::engine {

/// `AnyMovement`: Movement, or NeighbourRows.
template <class AnyTeam, class AnyMovement = Movement>
class EqualLayout {
 public:
  using Team = AnyTeam;

  EqualLayout(Team& team, const AnyMovement& movement)
      : team_(team), movement_(movement), carrier_(carrier_of(movement.block_bytes, movement.shown_blocks)) {
    if (carrier() == Carrier::message) send_apart();
  }

  bool gives() const { return movement_.sends->count() > 0; }
  bool is_in_slot() const { return carrier() == Carrier::slot && gives(); }
  void fill(std::byte* slot) const {
    Team::Transfer::will_write(slot, shown_bytes());
    pack_blocks(slot);
  }
  std::uint64_t number(std::uint32_t where) const {
    const std::uint64_t bytes = movement_.block_bytes;
    return (is_in_slot() ? ShownLength::in_slot(bytes, where) : ShownLength(bytes)).number();
  }
  std::size_t bytes_beside() const { return carrier() == Carrier::line ? shown_bytes() : 0; }
  void pack(std::byte* line) const {
    if (bytes_beside() > 0) pack_blocks(line);
  }

  int givers() const { return movement_.receives->count(); }
  int giver(int i) const { return movement_.receives->at(i).member; }
  /// Gives the team up if a neighbour gives other than is expected.
  void take(std::uint64_t epoch) {
    const auto& blocks = *movement_.receives;
    for (int i = 0; i < blocks.count(); ++i) {
      const Block block = blocks.at(i);
      const std::uint64_t expected = block.buffer.bytes;
      const auto told = ShownLength::of(team_, block.member, epoch);
      if (told.block_bytes() != expected)
        return team_.agreement().give_up(
            wrong_length(block.member, team_.rank(), told.block_bytes(), expected));
      if (const std::byte* const vector = shown_by(block, told, epoch)) {
        take(block, vector);
      } else {
        apart_.receives.push_back(block);
      }
    }
  }

  /// Once all turns are over.
  const ApartBlocks& apart() const noexcept { return apart_; }

 private:
  /// What is known beforehand costs nothing in the shortest calls.
  static constexpr bool kGoesInLines = AnyMovement::kFitsLines;

  Carrier carrier() const { return kGoesInLines ? Carrier::line : carrier_; }
  std::size_t shown_bytes() const {
    return static_cast<std::size_t>(movement_.block_bytes) * movement_.shown_blocks;
  }
  Carrier carrier_of(std::uint64_t block_bytes, std::uint32_t shown_blocks) const {
    if (kGoesInLines) return Carrier::line;
    return engine::carrier_of(block_bytes, shown_blocks, team_.process().geometry().slot_bytes);
  }

  [[gnu::cold]] void send_apart() {
    const auto& blocks = *movement_.sends;
    for (int i = 0; i < blocks.count(); ++i) apart_.sends.push_back(blocks.at(i));
  }
  /// What is for no neighbour, as behind the border of a grid, is not written, and not read.
  void pack_blocks(std::byte* vector) const {
    const auto& blocks = *movement_.sends;
    for (int i = 0; i < blocks.count(); ++i) {
      const Block block = blocks.at(i);
      const auto bytes = static_cast<std::size_t>(block.buffer.bytes);
      block.buffer.copy_to(vector + block.place * bytes, 0, bytes);
      if (movement_.shown_blocks == 1) return;
    }
  }
  /// Null: a message brings it.
  const std::byte* shown_by(const Block& block, const ShownLength& told, std::uint64_t epoch) const {
    if (!kGoesInLines && told.is_in_slot()) return told.slot(team_, block.member, epoch);
    const std::uint64_t bytes = block.buffer.bytes;
    if (carrier_of(bytes, block.shown) != Carrier::line) return nullptr;
    return team_.inline_lines().payload_beside_number(block.member, epoch,
                                                      static_cast<std::size_t>(bytes) * block.shown);
  }
  void take(const Block& block, const std::byte* vector) const {
    const auto bytes = static_cast<std::size_t>(block.buffer.bytes);
    Team::Transfer::will_read(vector + block.place * bytes, bytes);
    block.buffer.copy_from(vector + block.place * bytes, 0, bytes);
  }

  Team& team_;
  const AnyMovement& movement_;
  Carrier carrier_;
  ApartBlocks apart_;
};

}  // namespace foldlane::engine
