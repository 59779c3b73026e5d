// What the root of a gatherv does whose leaves tell by lines how long their blocks are (leaf_move.hpp). Lines
// carry them, or slots, of which lines tell; longer ones follow by messages. One hop, and leaves run ahead of
// their root by as many calls as there are lines.
//
// The root shows a line, too, that carries nothing: so it awaits everybody's, and where ranks share CPUs it
// sees how many are missing, and need not switch to the others for the last one (8 ranks on 2 CPUs, 8 B, 1.02
// to 1.04 x as fast).
//
// MODEL: tests/model/buffers/leaf_model_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/algorithms/turns.hpp"
#include "engine/moves/block_list.hpp"
#include "engine/moves/carrier.hpp"
#include "engine/moves/movement.hpp"
#include "engine/moves/own_blocks.hpp"
#include "engine/moves/wrong_length.hpp"
#include "engine/team/team.hpp"

namespace foldlane::engine {

template <class AnyTeam>
class GatherRoot {
 public:
  using Team = AnyTeam;
  static constexpr std::uint64_t kAhead = 0;
  static constexpr std::uint64_t count() { return 1; }

  /// `movement` must outlive it.
  GatherRoot(Team& team, const Movement& movement)
      : team_(team), movement_(movement), epoch_(team.epochs().begin(1)) {}

  static constexpr bool gives(std::uint64_t) { return true; }
  template <class How>
  Progress await_free(How& how, std::uint64_t) {
    return how.inline_free(team_, epoch_);
  }
  void give(std::uint64_t) {
    team_.inline_lines().show_with(epoch_, 0, 0, [](std::byte*) {});
  }
  void make_ready() { copy_own_blocks(team_, movement_); }

  static constexpr bool takes(std::uint64_t) { return true; }
  /// A member shows its line only after its previous calls.
  template <class How>
  Progress await_given(How& how, std::uint64_t) {
    if (team_.agreement().broken()) [[unlikely]]
      return Progress::failed;
    return how.all_shown(team_, epoch_, epoch_ - 1);
  }
  /// Gives the team up if a leaf gives other than is expected.
  void take(std::uint64_t) {
    for_each_from(*movement_.receives, 0,
                  [this](const Block& block) { return block.member == team_.rank() || take(block); });
  }
  void finish(std::uint64_t) { team_.epochs().finish(epoch_); }

  /// Once the turn is over: what messages bring.
  const BlockList& by_message() const noexcept { return by_message_; }

 private:
  bool take(const Block& block) {
    const std::uint64_t expected = block.buffer.bytes;
    const std::uint64_t given = team_.inline_lines().number(block.member, epoch_);
    if (given != expected) {
      team_.agreement().give_up(wrong_length(block.member, team_.rank(), given, expected));
      return false;
    }
    switch (carrier_of(expected, expected, team_.process().geometry().slot_bytes)) {
      case Carrier::line:
        copy(block, team_.inline_lines().payload_beside_number(block.member, epoch_,
                                                               static_cast<std::size_t>(expected)));
        break;
      case Carrier::slot:
        copy(block, team_.slots().of(block.member, epoch_));
        break;
      case Carrier::message:
        by_message_.add(block);
    }
    return true;
  }
  void copy(const Block& block, const std::byte* from) const {
    const auto bytes = static_cast<std::size_t>(block.buffer.bytes);
    Team::Transfer::will_read(from, bytes);
    block.buffer.copy_from(from, 0, bytes);
  }

  Team& team_;
  const Movement& movement_;
  std::uint64_t epoch_;
  BlockList by_message_;
};

}  // namespace foldlane::engine
