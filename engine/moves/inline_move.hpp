// Blocks of one size, of which all members know it, beside the epoch. One hop.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/algorithms/by_the_last.hpp"
#include "engine/algorithms/turns.hpp"
#include "engine/moves/shown_blocks.hpp"
#include "engine/team/team.hpp"

namespace foldlane::engine {

template <class AnyTeam>
class InlineMove {
 public:
  using Team = AnyTeam;
  static constexpr std::uint64_t kAhead = 0;
  static constexpr std::uint64_t count() { return 1; }

  InlineMove(Team& team, Call call, int root, const Movement& movement)
      : team_(team),
        blocks_(call, root, movement, team.size(), team.rank()),
        root_(root),
        epoch_(team.epochs().begin(1)) {}

  bool gives(std::uint64_t) const { return blocks_.gives(); }
  template <class How>
  Progress await_free(How& how, std::uint64_t) {
    return how.inline_free(team_, epoch_);
  }
  void give(std::uint64_t) {
    const std::size_t bytes = blocks_.bytes();
    if (const std::byte* const vector = blocks_.in_one_piece())
      return team_.inline_lines().show(epoch_, vector, bytes);
    team_.inline_lines().show_packed(epoch_, bytes, [&](std::byte* place) { blocks_.pack(place); });
  }

  bool takes(std::uint64_t) const { return blocks_.takes(); }
  /// A member shows its blocks only after its previous calls: it has finished epoch - 1.
  template <class How>
  Progress await_given(How& how, std::uint64_t) {
    if (!blocks_.takes_from_root()) return how.all_shown(team_, epoch_, epoch_ - 1);
    return team_.rank() == root_ ? Progress::done : how.shown(team_, root_, epoch_);
  }
  void take(std::uint64_t) {
    const std::size_t bytes = blocks_.bytes();
    blocks_.take([&](int member) { return team_.inline_lines().payload(member, epoch_, bytes); });
  }
  void finish(std::uint64_t) { team_.epochs().finish(epoch_); }

 protected:
  Team& team() const noexcept { return team_; }
  std::uint64_t epoch() const noexcept { return epoch_; }

 private:
  Team& team_;
  ShownBlocks blocks_;
  int root_;
  std::uint64_t epoch_;
};

/// Where ranks share CPUs and everybody wants everybody's.
template <class Team>
using CentralMove = ByTheLast<InlineMove<Team>>;

}  // namespace foldlane::engine
