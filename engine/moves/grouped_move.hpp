// Blocks of one size in a team of groups. Between groups goes one flag, that of a leader (the first member of
// a group), instead of one with each block: from inside out each leader awaits its group before it publishes
// its own slot. Whoever takes blocks awaits the leaders of the outermost groups, and reads them in the slots
// of who gives them. One hop per level and a last one.
//
// Short blocks that everybody wants all of, or a root, would leave the lines that cross half empty: the
// leader of an innermost group collects them in its slot first.
//
// The flags of the outermost leaders together depend on everybody's, as in
// engine/algorithms/inline_grouped.hpp: they publish the slots of all, and that all have finished the epoch
// before.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/groups/hierarchy.hpp"
#include "engine/moves/group_places.hpp"
#include "engine/moves/group_slots.hpp"
#include "engine/moves/shown_blocks.hpp"
#include "engine/progress/procedure.hpp"
#include "engine/team/readers.hpp"
#include "kernels/copy.hpp"

namespace foldlane::engine {

/// The group of each member, in one step each if they are asked for in a row, which may begin anywhere and
/// goes on with the first one.
class GroupsInTurn {
 public:
  explicit GroupsInTurn(const std::vector<Members>& groups) : groups_(groups), group_(&groups.front()) {}

  const Members& of(int member) {
    while (member < group_->first || member >= group_->end())
      group_ = group_ == &groups_.back() ? &groups_.front() : group_ + 1;
    return *group_;
  }

 private:
  const std::vector<Members>& groups_;
  const Members* group_;
};

template <class Team>
class GroupedMove {
 public:
  GroupedMove(Team& team, Call call, int root, const Movement& movement)
      : team_(team),
        groups_(*team.hierarchy()),
        blocks_(call, root, movement, team.size(), team.rank()),
        collects_(leaders_collect(call, movement.block_bytes)),
        gives_each_(gives_block_for_each(call)),
        root_(call == Call::gather ? root : kNobody),
        epoch_(team.epochs().begin(1)),
        slots_(team, epoch_) {}

  std::uint64_t epoch() const { return epoch_; }
  std::size_t last_phase() const { return groups_.phases() - 1; }
  /// Whether this member awaits the children of a phase for the others.
  bool leads(std::size_t phase) const { return groups_.phase(phase + 1).leads_child; }
  const std::vector<Members>& children(std::size_t phase) const { return groups_.phase(phase).children; }
  /// Whose leaders everybody awaits who takes blocks.
  const std::vector<Members>& outermost() const { return children(last_phase()); }
  bool is_own(const Members& child) const { return child.first == team_.rank(); }

  void put_own() {
    if (!gives_each_) return blocks_.fill(team_, team_.slots().own(epoch_), 0);
    for_each_run(innermost(), blocks_.block_bytes(), [&](const Members& run, std::size_t place) {
      blocks_.fill_for(team_, team_.slots().own(epoch_) + place, run);
    });
  }
  /// Needs filled(child.first) awaited.
  void take_over(std::size_t phase, const Members& child) {
    if (phase > 0) return slots_.add_group(child.first);
    collects_ ? collect(child.first) : slots_.add(child.first);
  }
  /// `phase`: the first that this member leads no more.
  void show(std::size_t phase) {
    if (phase > 0) slots_.tell();
    team_.slots().publish_filled(epoch_);
    if (root_ != kNobody) note_reader(phase);
    blocks_.copy_own(team_, 0);
  }
  bool wants() const { return blocks_.takes(); }
  std::uint64_t proven_by(const Members& child) const { return child == outermost().back() ? epoch_ - 1 : 0; }
  /// Needs filled() of all outermost leaders awaited.
  void take() {
    GroupsInTurn collecting(innermost());
    GroupsInTurn telling(outermost());
    const std::size_t shift = gives_each_ ? shift_of_own_blocks() : 0;
    const auto vector_of = [&](int member) {
      const int holder = collects_ ? collecting.of(member).first : member;
      const std::byte* const slot = slots_.of(holder, telling.of(member).first);
      return ShownVector{slot + shift + bytes_of(member - holder), false};
    };
    blocks_.take(team_, vector_of, 0);
  }

 private:
  const std::vector<Members>& innermost() const { return groups_.groups().levels.front(); }
  std::size_t bytes_of(int members) const {
    return blocks_.block_bytes() * static_cast<std::size_t>(members);
  }
  /// From where a vector without gaps has this member's blocks.
  std::size_t shift_of_own_blocks() const {
    std::size_t shift = 0;
    for_each_run(innermost(), blocks_.block_bytes(), [&](const Members& run, std::size_t place) {
      if (team_.rank() >= run.first) shift = place - bytes_of(run.first);
    });
    return shift;
  }
  void collect(int member) {
    const std::byte* const from = team_.slots().of(member, epoch_);
    std::byte* const to = team_.slots().own(epoch_) + bytes_of(member - team_.rank());
    Team::Transfer::will_read(from, blocks_.block_bytes());
    Team::Transfer::will_write(to, blocks_.block_bytes());
    kernels::copy(to, from, blocks_.block_bytes());
  }
  /// The root, unless what this member shows is collected. When a root has finished, leaders have seen all
  /// flags of that call.
  void note_reader(std::size_t phase) {
    const bool is_collected = phase == 0 && collects_;
    team_.slots().note_readers(epoch_).push_back(is_collected ? children(0).front().first : root_);
  }

  Team& team_;
  const Hierarchy& groups_;
  ShownBlocks blocks_;
  bool collects_;
  bool gives_each_;
  int root_;  // kNobody: everybody takes blocks
  std::uint64_t epoch_;
  GroupSlots<Team> slots_;  // that takers read
};

/// Allgather, gather and alltoall. What `movement` points to must outlive it.
template <class Team>
Procedure move_in_groups(Team& team, Call call, int root, const Movement& movement) {
  GroupedMove<Team> move(team, call, root, movement);
  co_await slot_unread(team, move.epoch());
  move.put_own();
  std::size_t phase = 0;
  for (; phase < move.last_phase() && move.leads(phase); ++phase) {
    for (const Members& child : move.children(phase)) {
      if (move.is_own(child)) continue;
      co_await team.waits().filled(child.first, move.epoch());
      move.take_over(phase, child);
    }
  }
  move.show(phase);
  if (move.wants()) {
    for (const Members& child : move.outermost())
      co_await team.waits().filled(child.first, move.epoch(), move.proven_by(child));
    move.take();
  }
  team.epochs().finish(move.epoch());
}

}  // namespace foldlane::engine
