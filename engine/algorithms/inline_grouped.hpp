// Small reductions and barriers in a team of groups, beside the epoch: the leader (first member) of a group
// shows the values of its group instead of its own input; whoever wants the result reads the lines of the
// outermost groups' leaders. One hop per level and a last one. In a reduce each line has one reader, who is
// asked before it is written again.
//
// A result depends on everybody's line, through the leaders' chain of published and awaited words: whoever
// has it knows that all have finished the epoch before, and all are in the same call.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "engine/algorithms/fold_grouped.hpp"

namespace foldlane::engine {

struct GroupedInline {
  const std::byte* send;
  std::byte* recv;
  std::size_t count;
  const Reduction* reduction;  // null: a barrier
  int root;                    // kNobody: everybody wants the result, or a part of it
  std::size_t wanted_start = 0;
  std::size_t wanted_count = 0;
};

template <class Team>
class GroupedInlineSteps {
 public:
  GroupedInlineSteps(Team& team, const GroupedInline& call)
      : team_(team),
        call_(call),
        groups_(*team.hierarchy()),
        bytes_(call.reduction == nullptr ? 0 : call.count * call.reduction->elem_bytes),
        value_bytes_(call.reduction == nullptr ? 0 : call.count * call.reduction->value_bytes()),
        epoch_(team.epochs().begin(1)) {
    if (bytes_ == 0) return;
    if (call.reduction->type_map != nullptr) {
      call.reduction->type_map->pack(own_.data(), call.send, 0, bytes_);
    } else {
      std::memcpy(own_.data(), call.send, bytes_);
    }
  }

  std::uint64_t epoch() const { return epoch_; }
  std::size_t last_phase() const { return groups_.phases() - 1; }
  /// Whether this member folds a phase for the others: everybody folds the last one for itself.
  bool leads(std::size_t phase) const { return groups_.phase(phase + 1).leads_child; }
  const std::vector<Members>& children(std::size_t phase) const { return groups_.phase(phase).children; }
  /// A leader has the values of its own child already.
  bool is_own(const Members& child) const { return child.first == team_.rank(); }

  /// All leaders' lines together depend on everybody's.
  std::uint64_t proven_by(const Members& child) const {
    return child == children(last_phase()).back() ? epoch_ - 1 : 0;
  }

  /// `phase`: the first that this member leads no more.
  void show(std::size_t phase) {
    team_.inline_lines().show(epoch_, own_.data(), values_ == 0 ? bytes_ : values_ * value_bytes_);
    if (call_.root == kNobody) return;
    team_.inline_lines().note_readers(epoch_).push_back(phase < last_phase() ? children(phase).front().first
                                                                             : call_.root);
  }
  bool wants() const { return call_.root == kNobody || call_.root == team_.rank(); }

  /// own_ = the values of the group of this phase. Needs the children's lines awaited.
  void fold(std::size_t phase) {
    if (bytes_ == 0) return;
    const auto& here = groups_.phase(phase);
    const std::size_t bytes = phase == 0 ? bytes_ : value_bytes_;
    const void** source = team_.sources();
    for (std::size_t child = 0; child < here.children.size(); ++child) {
      const bool own = is_own(here.children[child]);
      const auto values = static_cast<std::size_t>(here.sources[child]);
      const std::byte* const from =
          own ? own_.data()
              : team_.inline_lines().payload(here.children[child].first, epoch_, values * bytes);
      if (!own) Team::Transfer::will_read(from, values * bytes);
      for (std::size_t value = 0; value < values; ++value) *source++ = from + value * bytes;
    }
    std::array<std::byte, Team::kOneLineBytes> folded;
    for (std::size_t output = 0; output < here.outputs.size(); ++output) {
      fold_values(*call_.reduction, here.outputs[output].fold, folded.data() + output * value_bytes_,
                  team_.sources() + here.outputs[output].first, call_.count,
                  {.from_elements = phase == 0, .to_elements = phase == last_phase()});
    }
    own_ = folded;
    values_ = here.outputs.size();
  }

  void deliver() {
    if (bytes_ == 0) return;
    const std::size_t elem_bytes = call_.reduction->elem_bytes;
    Team::Transfer::unpack_out(call_.recv, call_.reduction->type_map, 0,
                               own_.data() + call_.wanted_start * elem_bytes, call_.wanted_count * elem_bytes,
                               false);
  }

 private:
  Team& team_;
  const GroupedInline call_;
  const Hierarchy& groups_;
  std::size_t bytes_;        // of an input and of the result
  std::size_t value_bytes_;  // of what leaders show for it, per value
  std::uint64_t epoch_;
  alignas(64) std::array<std::byte, Team::kOneLineBytes> own_{};  // what this member brings
  std::size_t values_ = 0;                                        // 0: its input
};

template <class Team>
Procedure fold_inline_grouped(Team& team, GroupedInline call) {
  GroupedInlineSteps<Team> steps(team, call);
  co_await line_unread(team, steps.epoch());
  std::size_t phase = 0;
  for (; phase < steps.last_phase() && steps.leads(phase); ++phase) {
    for (const Members& child : steps.children(phase)) {
      if (!steps.is_own(child)) co_await team.waits().shown(child.first, steps.epoch());
    }
    steps.fold(phase);
  }
  steps.show(phase);
  if (steps.wants()) {
    for (const Members& child : steps.children(steps.last_phase()))
      co_await team.waits().shown(child.first, steps.epoch(), steps.proven_by(child));
    steps.fold(steps.last_phase());
    steps.deliver();
  }
  team.epochs().finish(steps.epoch());
}

}  // namespace foldlane::engine
