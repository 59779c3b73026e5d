// What the root of a gatherv does whose leaves tell by lines how long their blocks are (leaf_move.hpp). Lines
// carry them, or slots, of which lines tell. A leaf with a longer one may have asked where it goes, and copy
// it there (gather_places.hpp): then the root goes when all have finished. Others follow by messages. One
// hop, and leaves that do not ask run ahead of their root by as many calls as there are lines.
//
// The root shows a line in any case: so it awaits everybody's, and where ranks share CPUs it
// sees how many are missing, and need not switch to the others for the last one (8 ranks on 2 CPUs, 8 B, 1.02
// to 1.04 x as fast).
//
// MODEL: tests/model/buffers/leaf_model_test.cpp and gather_model_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/algorithms/turns.hpp"
#include "engine/moves/block_list.hpp"
#include "engine/moves/movement.hpp"
#include "engine/moves/own_blocks.hpp"
#include "engine/moves/rooted/gather_places.hpp"
#include "engine/moves/shown_length.hpp"
#include "engine/moves/wrong_length.hpp"
#include "engine/team/team.hpp"

namespace foldlane::engine {

template <class AnyTeam>
class GatherRoot {
 public:
  using Team = AnyTeam;
  static constexpr std::uint64_t kAhead = 0;

  /// Needs slots that are the call's.
  static bool offers_places(const Team& team, const Movement& movement) noexcept {
    const auto& process = team.process();
    return GatherPlaces::are_any(process.common(), *movement.receives, team.rank(), team.size(),
                                 process.geometry().slot_bytes);
  }
  /// `movement` must outlive it.
  GatherRoot(Team& team, const Movement& movement, bool offers_places)
      : team_(team), movement_(movement), offers_places_(offers_places), epoch_(team.epochs().begin(1)) {}

  /// The last turn of who has its buffer written to.
  std::uint64_t count() const { return offers_places_ ? 2 : 1; }

  static constexpr bool gives(std::uint64_t turn) { return turn == 0; }
  template <class How>
  Progress await_free(How& how, std::uint64_t) {
    const Progress line = how.inline_free(team_, epoch_);
    return line != Progress::done || !offers_places_ ? line : how.slot_free(team_, epoch_);
  }
  void give(std::uint64_t) {
    team_.inline_lines().show_with(epoch_, offers_places_ ? tell_places() : GatherPlaces::kNone, 0,
                                   [](std::byte*) {});
  }
  void make_ready() { copy_own_blocks(team_, movement_); }

  bool takes(std::uint64_t turn) const { return turn == 0 || are_leaves_copying_; }
  /// A member shows its line only after its previous calls.
  template <class How>
  Progress await_given(How& how, std::uint64_t turn) {
    if (turn > 0) return how.wait(team_.waits().all_finished(epoch_));
    return how.all_shown(team_, epoch_, epoch_ - 1);
  }
  /// Gives the team up if a leaf gives other than is expected, but not what others write to.
  void take(std::uint64_t turn) {
    if (turn > 0) return;
    for_each_from(*movement_.receives, 0, [this](const Block& block) {
      if (block.member != team_.rank()) take(block);
      return true;
    });
  }
  void finish(std::uint64_t turn) {
    if (turn == 0) team_.epochs().finish(epoch_);
    if (turn > 0 && are_leaves_copying_ && by_message_.count() == 0) team_.process().count_direct_call();
  }

  /// Once the turn is over: what messages bring.
  const BlockList& by_message() const noexcept { return by_message_; }

 private:
  std::uint64_t tell_places() {
    GatherPlaces::fill(team_, *movement_.receives, team_.slots().own(epoch_));
    return team_.slots().note_filled(epoch_);
  }
  void take(const Block& block) {
    const std::uint64_t expected = block.buffer.bytes;
    const auto told = ToldByLeaf::of(team_, block.member, epoch_);
    const ShownLength length = told.length();
    const bool fits = length.block_bytes() == expected;
    if (!fits)
      team_.agreement().give_up(wrong_length(block.member, team_.rank(), length.block_bytes(), expected));
    if (told.asks()) return leave_to_leaf(block);
    if (!fits) return;
    if (length.is_in_slot()) return copy(block, length.slot(team_, block.member, epoch_));
    if (expected > Team::InlineLines::kBytesBesideNumber) return by_message_.add(block);
    copy(block, team_.inline_lines().payload_beside_number(block.member, epoch_,
                                                           static_cast<std::size_t>(expected)));
  }
  void leave_to_leaf(const Block& block) {
    if (offers_places_ && GatherPlaces::has_place(team_.process().common(), block.buffer)) {
      are_leaves_copying_ = true;
    } else {
      by_message_.add(block);
    }
  }
  void copy(const Block& block, const std::byte* from) const {
    const auto bytes = static_cast<std::size_t>(block.buffer.bytes);
    Team::Transfer::will_read(from, bytes);
    block.buffer.copy_from(from, 0, bytes);
  }

  Team& team_;
  const Movement& movement_;
  bool offers_places_;
  bool are_leaves_copying_ = false;
  std::uint64_t epoch_;
  BlockList by_message_;
};

}  // namespace foldlane::engine
