// Each member shows its whole vector of blocks, beside the epoch or in a slot, and takes its block of each.
// One hop. What a vector is, how many turns it takes and how it is taken, is told by `Shown`: blocks of one
// size, of which all members know it, chunks of such blocks, or others. Who shows its own buffer instead of a
// place gets it back when all have finished.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/algorithms/by_the_last.hpp"
#include "engine/algorithms/turns.hpp"
#include "engine/moves/chunked_blocks.hpp"
#include "engine/moves/lists/listed_blocks.hpp"
#include "engine/moves/lists/listed_chunks.hpp"
#include "engine/moves/shown_blocks.hpp"
#include "engine/team/central_counter.hpp"
#include "engine/team/team.hpp"

namespace foldlane::engine {

/// `kTurnsAhead`: how many slots a member fills ahead of those it has read.
template <class AnyTeam, Places kPlaces, class Shown = ShownBlocks, std::uint64_t kTurnsAhead = 0>
class ShownMove {
 public:
  using Team = AnyTeam;
  static constexpr std::uint64_t kAhead = kTurnsAhead;

  /// `rest` is what else a Shown wants.
  template <class... Rest>
  ShownMove(Team& team, Call call, int root, const Movement& movement, Rest&... rest)
      : team_(team),
        blocks_(call, root, movement, team.size(), team.rank(), rest...),
        root_(root),
        epoch_(team.epochs().begin(blocks_.count())) {}

  /// The last turn of who has shown its own buffer: nobody reads it any more.
  std::uint64_t count() const { return blocks_.count() + (blocks_.are_read_in_place() ? 1 : 0); }

  bool gives(std::uint64_t turn) const { return !is_after_all(turn) && blocks_.gives(); }
  template <class How>
  Progress await_free(How& how, std::uint64_t turn) {
    if constexpr (kPlaces == Places::lines) return how.inline_free(team_, epoch(turn));
    return how.slot_free(team_, epoch(turn));
  }
  void give(std::uint64_t turn) {
    if constexpr (kPlaces == Places::lines) {
      show();
    } else {
      show_in_slot(turn);
    }
    if (blocks_.goes_to_root()) note_reader(turn);
    blocks_.copy_own(team_, turn);
    if constexpr (requires { blocks_.fill_ahead(team_, epoch()); })
      blocks_.fill_ahead(team_, epoch(turn + 1));
  }

  bool takes(std::uint64_t turn) const { return is_after_all(turn) || blocks_.takes(); }
  template <class How>
  Progress await_given(How& how, std::uint64_t turn) {
    if (is_after_all(turn)) return how.wait(team_.waits().all_finished(epoch(turn) - 1));
    if (!blocks_.takes_from_root()) return await_all(how, turn);
    if constexpr (kPlaces == Places::lines) return how.shown(team_, root_, epoch(turn));
    return how.filled(team_, root_, epoch(turn));
  }
  void take(std::uint64_t turn) {
    if (is_after_all(turn)) return;
    if constexpr (kPlaces == Places::lines) {
      const auto payloads = team_.inline_lines().payloads(epoch(turn), blocks_.bytes());
      blocks_.take(
          team_,
          [payloads](int member) {
            return ShownVector{payloads.of(member), false};
          },
          turn);
    } else {
      const auto in_slot = [&team = team_, epoch = epoch(turn)](int member) {
        return vector_in_slot(team, member, epoch);
      };
      blocks_.take(team_, in_slot, turn);
    }
  }
  void finish(std::uint64_t turn) {
    if (!is_after_all(turn)) team_.epochs().finish(epoch(turn));
  }

 protected:
  Team& team() const noexcept { return team_; }
  std::uint64_t epoch(std::uint64_t turn = 0) const noexcept { return epoch_ + turn; }

 private:
  bool is_after_all(std::uint64_t turn) const { return turn == blocks_.count(); }
  /// A member shows its blocks only after its previous calls, and turn t when t - kAhead - 1 is finished.
  std::uint64_t finished_before(std::uint64_t turn) const {
    return epoch_ - 1 + (turn <= kAhead ? 0 : turn - kAhead);
  }

  void show() {
    const std::size_t bytes = blocks_.bytes();
    if (const std::byte* const vector = blocks_.in_one_piece())
      return team_.inline_lines().show(epoch_, vector, bytes);
    team_.inline_lines().show_packed(epoch_, bytes, [&](std::byte* place) { blocks_.pack(place); });
  }
  void show_in_slot(std::uint64_t turn) {
    if constexpr (Shown::kMayLieElsewhere) {
      if (const std::byte* const vector = blocks_.elsewhere())
        return team_.slots().publish_elsewhere(epoch(turn), team_.process().common().offset_of(vector));
    }
    blocks_.fill(team_, team_.slots().own(epoch(turn)), turn);
    team_.slots().publish_filled(epoch(turn));
  }
  /// So that who has its turn again asks the root alone.
  void note_reader(std::uint64_t turn) {
    if constexpr (kPlaces == Places::lines) {
      team_.inline_lines().note_readers(epoch(turn)).push_back(root_);
    } else {
      team_.slots().note_readers(epoch(turn)).push_back(root_);
    }
  }
  template <class How>
  Progress await_all(How& how, std::uint64_t turn) {
    if constexpr (kPlaces == Places::lines) return how.all_shown(team_, epoch(turn), finished_before(turn));
    return how.wait(team_.waits().all_filled(epoch(turn), finished_before(turn)));
  }
  static ShownVector vector_in_slot(Team& team, int member, std::uint64_t epoch) {
    if constexpr (Shown::kMayLieElsewhere) {
      if (const std::byte* const vector = team.slots().elsewhere(member, epoch)) return {vector, true};
    }
    return {team.slots().of(member, epoch), false};
  }

  Team& team_;
  Shown blocks_;
  int root_;
  std::uint64_t epoch_;
};

template <class Team>
using InlineMove = ShownMove<Team, Places::lines>;
template <class Team>
using SlotMove = ShownMove<Team, Places::slots>;

/// Where ranks share CPUs each turn costs every one of them a switch, and all slots at a time a quarter of
/// that.
template <class Team, std::uint64_t kTurnsAhead>
using ChunkedMove = ShownMove<Team, Places::slots, ChunkedBlocks, kTurnsAhead>;

/// Where ranks share CPUs and everybody wants everybody's.
template <class Team>
using CentralMove = ByTheLast<InlineMove<Team>>;
template <class Team>
using CentralSlotMove = ByTheLast<SlotMove<Team>, Places::slots>;

/// Of long blocks, and of lists that no lines announce.
template <class Team>
using ListMove = ShownMove<Team, Places::slots, ListedBlocks>;
template <class Team>
using CentralListMove = ByTheLast<ListMove<Team>, Places::slots>;
template <class Team, std::uint64_t kTurnsAhead>
using ListChunksMove = ShownMove<Team, Places::slots, ListedChunks, kTurnsAhead>;

}  // namespace foldlane::engine
