// Blocks among neighbours, in calls whose blocks have one size: a member shows all that it gives, beside the
// epoch or in a slot, and each neighbour knows which of it is its own. One hop, and nothing is matched.
//
// Nobody but neighbours knows the size: a member without any takes part in the epoch, and in nothing else. So
// a line tells the size, and who takes a block compares that with what it expects. Longer blocks follow by
// messages.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/algorithms/turns.hpp"
#include "engine/moves/carrier.hpp"
#include "engine/moves/movement.hpp"
#include "engine/moves/neighbour_rows.hpp"
#include "engine/moves/shown_blocks.hpp"
#include "engine/moves/wrong_length.hpp"
#include "engine/team/team.hpp"

namespace foldlane::engine {

inline Carrier carrier_of(const Movement& movement, std::uint64_t block_bytes,
                          std::size_t slot_bytes) noexcept {
  return carrier_of(block_bytes, block_bytes * movement.shown_blocks, slot_bytes);
}

/// `AnyMovement`: Movement, or NeighbourRows.
template <class AnyTeam, class AnyMovement = Movement>
class NeighbourMove {
 public:
  using Team = AnyTeam;
  static constexpr std::uint64_t kAhead = 0;
  static constexpr std::uint64_t count() { return 1; }

  NeighbourMove(Team& team, const AnyMovement& movement)
      : team_(team), movement_(movement), epoch_(team.epochs().begin(1)) {}

  bool gives(std::uint64_t) const { return movement_.sends->count() > 0; }
  template <class How>
  Progress await_free(How& how, std::uint64_t) {
    const Progress line = how.inline_free(team_, epoch_);
    if (line != Progress::done || carrier(movement_.block_bytes) != Carrier::slot) return line;
    return how.slot_free(team_, epoch_);
  }
  void give(std::uint64_t) {
    const std::uint64_t bytes = movement_.block_bytes;
    const Carrier by = carrier(bytes);
    if (by == Carrier::slot) fill_slot();
    messages_follow_ = by == Carrier::message;
    const std::size_t shown = by == Carrier::line ? shown_bytes(bytes) : 0;
    team_.inline_lines().show_with(epoch_, bytes, shown, [&](std::byte* line) {
      if (shown > 0) pack(line);
    });
  }

  bool takes(std::uint64_t) const { return movement_.receives->count() > 0; }
  template <class How>
  Progress await_given(How& how, std::uint64_t) {
    const auto& blocks = *movement_.receives;
    for (int i = 0; i < blocks.count(); ++i) {
      const Progress state = how.shown(team_, blocks.at(i).member, epoch_);
      if (state != Progress::done) return state;
    }
    return Progress::done;
  }
  /// Gives the team up if a neighbour gives other than is expected.
  void take(std::uint64_t) {
    const auto& blocks = *movement_.receives;
    for (int i = 0; i < blocks.count(); ++i) {
      const Block block = blocks.at(i);
      const std::uint64_t expected = block.buffer.bytes;
      const std::uint64_t given = team_.inline_lines().number(block.member, epoch_);
      if (given != expected)
        return team_.agreement().give_up(wrong_length(block.member, team_.rank(), given, expected));
      if (const std::byte* const vector = shown_by(block.member, expected)) {
        take(block, vector);
      } else {
        messages_follow_ = true;
      }
    }
  }
  void finish(std::uint64_t) { team_.epochs().finish(epoch_); }

  /// Once all turns are over: whether a block of this member's goes or comes by a message.
  bool messages_follow() const { return messages_follow_; }

 private:
  std::size_t shown_bytes(std::uint64_t block_bytes) const {
    return static_cast<std::size_t>(block_bytes) * movement_.shown_blocks;
  }

  Carrier carrier(std::uint64_t block_bytes) const {
    return carrier_of(block_bytes, shown_bytes(block_bytes), team_.process().geometry().slot_bytes);
  }

  void fill_slot() {
    std::byte* const slot = team_.slots().own(epoch_);
    Team::Transfer::will_write(slot, shown_bytes(movement_.block_bytes));
    pack(slot);
    team_.slots().note_filled(epoch_);  // the line tells of it
  }
  /// What is for no neighbour, as behind the border of a grid, is not written, and not read.
  void pack(std::byte* vector) const {
    const auto& blocks = *movement_.sends;
    for (int i = 0; i < blocks.count(); ++i) {
      const Block block = blocks.at(i);
      const auto bytes = static_cast<std::size_t>(block.buffer.bytes);
      block.buffer.copy_to(vector + block.place * bytes, 0, bytes);
      if (movement_.shown_blocks == 1) return;
    }
  }
  /// Null: a message brings it.
  const std::byte* shown_by(int member, std::uint64_t block_bytes) const {
    switch (carrier(block_bytes)) {
      case Carrier::line:
        return team_.inline_lines().payload_beside_number(member, epoch_, shown_bytes(block_bytes));
      case Carrier::slot:
        return team_.slots().of(member, epoch_);
      default:
        return nullptr;
    }
  }
  void take(const Block& block, const std::byte* vector) const {
    const auto bytes = static_cast<std::size_t>(block.buffer.bytes);
    Team::Transfer::will_read(vector + block.place * bytes, bytes);
    block.buffer.copy_from(vector + block.place * bytes, 0, bytes);
  }

  Team& team_;
  const AnyMovement& movement_;
  std::uint64_t epoch_;
  bool messages_follow_ = false;
};

}  // namespace foldlane::engine
