// Short blocks of one size that everybody wants all of, or a root, in a team of groups: the leader (first
// member) of a group collects the blocks of its group and shows them instead of its own, from inside out. Who
// wants them reads the slots of the outermost groups' leaders. One hop per level and a last one; between
// groups goes one piece with one flag, instead of a flag with each block.
//
// The slots of all leaders depend on everybody's, as in engine/algorithms/inline_grouped.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/moves/shown_blocks.hpp"
#include "engine/progress/procedure.hpp"
#include "engine/team/readers.hpp"

namespace foldlane::engine {

template <class Team>
class CollectedSteps {
 public:
  CollectedSteps(Team& team, Call call, int root, const Movement& movement)
      : team_(team),
        groups_(*team.hierarchy()),
        blocks_(call, root, movement, team.size(), team.rank()),
        root_(call == Call::gather ? root : kNobody),
        epoch_(team.epochs().begin(1)) {}

  std::uint64_t epoch() const { return epoch_; }
  std::size_t last_phase() const { return groups_.phases() - 1; }
  /// Whether this member collects a phase for the others.
  bool leads(std::size_t phase) const { return groups_.phase(phase + 1).leads_child; }
  const std::vector<Members>& children(std::size_t phase) const { return groups_.phase(phase).children; }
  bool is_own(const Members& child) const { return child.first == team_.rank(); }

  void put_own() { blocks_.fill(team_, place_in(team_.slots().own(epoch_), team_.rank()), 0); }
  /// Needs filled(child.first) awaited.
  void collect(const Members& child) {
    const std::byte* const from = place_in(team_.slots().of(child.first, epoch_), child.first);
    std::byte* const to = place_in(team_.slots().own(epoch_), child.first);
    const std::size_t bytes = blocks_.bytes() * static_cast<std::size_t>(child.count);
    Team::Transfer::will_read(from, bytes);
    Team::Transfer::will_write(to, bytes);
    kernels::copy(to, from, bytes);
  }
  /// `phase`: the first that this member leads no more.
  void show(std::size_t phase) {
    team_.slots().publish_filled(epoch_);
    if (phase < last_phase()) {
      team_.slots().note_readers(epoch_).push_back(children(phase).front().first);
    } else if (root_ != kNobody) {
      team_.slots().note_readers(epoch_).push_back(root_);
    }
    blocks_.copy_own(team_, 0);
  }
  bool wants() const { return blocks_.takes(); }
  std::uint64_t proven_by(const Members& child) const {
    return child == children(last_phase()).back() ? epoch_ - 1 : 0;
  }
  /// Needs filled() of all children of the last phase awaited.
  void take() {
    const auto vector_of = [&](int member) {
      return ShownVector{place_in(team_.slots().of(shown_by(member), epoch_), member), false};
    };
    blocks_.take(team_, vector_of, 0);
  }

 private:
  template <class Byte>
  Byte* place_in(Byte* slot, int member) const {
    return slot + blocks_.bytes() * static_cast<std::size_t>(member);
  }
  /// Of the outermost groups' leaders.
  int shown_by(int member) const {
    for (const Members& child : children(last_phase()))
      if (member < child.end()) return child.first;
    return member;
  }

  Team& team_;
  const Hierarchy& groups_;
  ShownBlocks blocks_;
  int root_;  // kNobody: everybody wants them
  std::uint64_t epoch_;
};

/// Allgather and gather. What `movement` points to must outlive it.
template <class Team>
Procedure move_collected(Team& team, Call call, int root, const Movement& movement) {
  CollectedSteps<Team> steps(team, call, root, movement);
  co_await slot_unread(team, steps.epoch());
  steps.put_own();
  std::size_t phase = 0;
  for (; phase < steps.last_phase() && steps.leads(phase); ++phase) {
    for (const Members& child : steps.children(phase)) {
      if (steps.is_own(child)) continue;
      co_await team.waits().filled(child.first, steps.epoch());
      steps.collect(child);
    }
  }
  steps.show(phase);
  if (steps.wants()) {
    for (const Members& child : steps.children(steps.last_phase()))
      co_await team.waits().filled(child.first, steps.epoch(), steps.proven_by(child));
    steps.take();
  }
  team.epochs().finish(steps.epoch());
}

}  // namespace foldlane::engine
