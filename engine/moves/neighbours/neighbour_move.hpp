// Blocks among neighbours: a member shows all that it gives, beside the epoch or in a slot, and each
// neighbour finds what of it is its own. One hop, and nothing is matched. A member without neighbours takes
// part in the epoch, and in nothing else.
//
// How it is shown, and found, says a layout (equal_layout.hpp). What a layout gives to nobody in that way, as
// long blocks, follows by messages. A layout is a class of these members:
//   gives(), is_in_slot()        what this member has to show, and whether that takes a slot
//   fill(slot)                   what goes there
//   number(where)                beside the line, which tells of the slot, if there is one: see note_filled()
//   bytes_beside(), pack(line)   what goes into the line itself
//   givers(), giver(i)           whom this member takes from; who is there twice is awaited twice
//   take(epoch)                  needs all their lines awaited. May give the team up
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/algorithms/turns.hpp"
#include "engine/moves/neighbours/equal_layout.hpp"
#include "engine/team/team.hpp"

namespace foldlane::engine {

template <class AnyTeam, class Layout>
class NeighbourMove {
 public:
  using Team = AnyTeam;
  static constexpr std::uint64_t kAhead = 0;
  static constexpr std::uint64_t count() { return 1; }

  /// `layout`, which must outlive it, is of one call. What it has in a slot needs slots that are the call's.
  NeighbourMove(Team& team, Layout& layout) : team_(team), layout_(layout), epoch_(team.epochs().begin(1)) {}

  bool gives(std::uint64_t) const { return layout_.gives(); }
  template <class How>
  Progress await_free(How& how, std::uint64_t) {
    const Progress line = how.inline_free(team_, epoch_);
    return line != Progress::done || !layout_.is_in_slot() ? line : how.slot_free(team_, epoch_);
  }
  void give(std::uint64_t) {
    const std::uint32_t where = layout_.is_in_slot() ? fill_slot() : 0;
    team_.inline_lines().show_with(epoch_, layout_.number(where), layout_.bytes_beside(),
                                   [this](std::byte* line) { layout_.pack(line); });
  }

  bool takes(std::uint64_t) const { return layout_.givers() > 0; }
  template <class How>
  Progress await_given(How& how, std::uint64_t) {
    for (int i = 0; i < layout_.givers(); ++i) {
      const Progress state = how.shown(team_, layout_.giver(i), epoch_);
      if (state != Progress::done) return state;
    }
    return Progress::done;
  }
  void take(std::uint64_t) { layout_.take(epoch_); }
  void finish(std::uint64_t) { team_.epochs().finish(epoch_); }

 private:
  std::uint32_t fill_slot() {
    layout_.fill(team_.slots().own(epoch_));
    return team_.slots().note_filled(epoch_);  // the line tells of it
  }

  Team& team_;
  Layout& layout_;
  std::uint64_t epoch_;
};

}  // namespace foldlane::engine
