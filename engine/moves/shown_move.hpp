// Each member shows its whole vector of blocks, beside the epoch or in a slot, and takes its block of each.
// One hop. What a vector is, and how it is taken, is told by `Shown`: blocks of one size, of which all
// members know it, or others.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/algorithms/by_the_last.hpp"
#include "engine/algorithms/turns.hpp"
#include "engine/moves/listed_blocks.hpp"
#include "engine/moves/shown_blocks.hpp"
#include "engine/team/central_counter.hpp"
#include "engine/team/team.hpp"

namespace foldlane::engine {

template <class AnyTeam, Places kPlaces, class Shown = ShownBlocks>
class ShownMove {
 public:
  using Team = AnyTeam;
  static constexpr std::uint64_t kAhead = 0;
  static constexpr std::uint64_t count() { return 1; }

  /// `rest` is what else a Shown wants.
  template <class... Rest>
  ShownMove(Team& team, Call call, int root, const Movement& movement, Rest&... rest)
      : team_(team),
        blocks_(call, root, movement, team.size(), team.rank(), rest...),
        root_(root),
        epoch_(team.epochs().begin(1)) {}

  bool gives(std::uint64_t) const { return blocks_.gives(); }
  template <class How>
  Progress await_free(How& how, std::uint64_t) {
    if constexpr (kPlaces == Places::lines) return how.inline_free(team_, epoch_);
    return how.slot_free(team_, epoch_);
  }
  void give(std::uint64_t) {
    if constexpr (kPlaces == Places::lines) {
      show();
    } else {
      fill_slot();
    }
    blocks_.copy_own(team_);
  }

  bool takes(std::uint64_t) const { return blocks_.takes(); }
  /// A member shows its blocks only after its previous calls: it has finished epoch - 1.
  template <class How>
  Progress await_given(How& how, std::uint64_t) {
    if (!blocks_.takes_from_root()) return await_all(how);
    if constexpr (kPlaces == Places::lines) return how.shown(team_, root_, epoch_);
    return how.filled(team_, root_, epoch_);
  }
  void take(std::uint64_t) {
    blocks_.take(team_, [&](int member) { return vector_of(member); });
  }
  void finish(std::uint64_t) { team_.epochs().finish(epoch_); }

 protected:
  Team& team() const noexcept { return team_; }
  std::uint64_t epoch() const noexcept { return epoch_; }

 private:
  void show() {
    const std::size_t bytes = blocks_.bytes();
    if (const std::byte* const vector = blocks_.in_one_piece())
      return team_.inline_lines().show(epoch_, vector, bytes);
    team_.inline_lines().show_packed(epoch_, bytes, [&](std::byte* place) { blocks_.pack(place); });
  }
  void fill_slot() {
    blocks_.fill(team_, team_.slots().own(epoch_));
    team_.slots().publish_filled(epoch_);
  }
  template <class How>
  Progress await_all(How& how) {
    if constexpr (kPlaces == Places::lines) return how.all_shown(team_, epoch_, epoch_ - 1);
    return how.wait(team_.waits().all_filled(epoch_, epoch_ - 1));
  }
  const std::byte* vector_of(int member) const {
    if constexpr (kPlaces == Places::lines)
      return team_.inline_lines().payload(member, epoch_, blocks_.bytes());
    return team_.slots().of(member, epoch_);
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

/// Where ranks share CPUs and everybody wants everybody's.
template <class Team>
using CentralMove = ByTheLast<InlineMove<Team>>;
template <class Team>
using CentralSlotMove = ByTheLast<SlotMove<Team>, Places::slots>;

/// Of whose blocks only their two members know how long they are.
template <class Team>
using ListMove = ShownMove<Team, Places::slots, ListedBlocks>;
template <class Team>
using CentralListMove = ByTheLast<ListMove<Team>, Places::slots>;

}  // namespace foldlane::engine
