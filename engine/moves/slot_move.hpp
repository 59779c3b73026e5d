// Blocks of one size, of which all members know it, through slots that hold a member's whole vector. One hop.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/algorithms/by_the_last.hpp"
#include "engine/algorithms/turns.hpp"
#include "engine/moves/shown_blocks.hpp"
#include "engine/team/team.hpp"

namespace foldlane::engine {

template <class AnyTeam>
class SlotMove {
 public:
  using Team = AnyTeam;
  static constexpr std::uint64_t kAhead = 0;
  static constexpr std::uint64_t count() { return 1; }

  SlotMove(Team& team, Call call, int root, const Movement& movement)
      : team_(team),
        blocks_(call, root, movement, team.size(), team.rank()),
        root_(root),
        epoch_(team.epochs().begin(1)) {}

  bool gives(std::uint64_t) const { return blocks_.gives(); }
  template <class How>
  Progress await_free(How& how, std::uint64_t) {
    return how.slot_free(team_, epoch_);
  }
  void give(std::uint64_t) {
    std::byte* const slot = team_.slots().own(epoch_);
    if (const std::byte* const vector = blocks_.in_one_piece()) {
      team_.slots().pack_in(slot, vector, nullptr, 0, blocks_.bytes());
    } else {
      Team::Transfer::will_write(slot, blocks_.bytes());
      blocks_.pack(slot);
    }
    team_.slots().publish_filled(epoch_);
  }

  bool takes(std::uint64_t) const { return blocks_.takes(); }
  /// A member fills its slot only after its previous calls: it has finished epoch - 1.
  template <class How>
  Progress await_given(How& how, std::uint64_t) {
    if (!blocks_.takes_from_root()) return how.wait(team_.waits().all_filled(epoch_, epoch_ - 1));
    return team_.rank() == root_ ? Progress::done : how.filled(team_, root_, epoch_);
  }
  void take(std::uint64_t) {
    blocks_.take([&](int member) {
      const std::byte* const slot = team_.slots().of(member, epoch_);
      Team::Transfer::will_read(slot, blocks_.bytes());
      return slot;
    });
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
using CentralSlotMove = ByTheLast<SlotMove<Team>, Places::slots>;

}  // namespace foldlane::engine
