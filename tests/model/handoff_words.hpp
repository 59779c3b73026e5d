// What the words of a team's lines are for, as the explorer wants to know.
#pragma once

#include <optional>

#include "engine/team/team_lines.hpp"
#include "memory.hpp"
#include "model_atoms.hpp"

namespace foldlane::model {

/// What a word of a member's lines is for.
inline std::optional<Kind> kind_in(const engine::BasicTeamLines<WholeWaitAtoms>& lines, const void* word) {
  for (const auto& line : lines.inline_lines) {
    if (word == &line.mark) return Kind::shown;
  }
  for (const auto& filling : lines.steps.in_slot) {
    if (word == &filling.mark) return Kind::filled;
  }
  for (const auto& delivery : lines.deliveries.in_turn) {
    if (word == &delivery.mark) return Kind::filled;
  }
  if (word == &lines.steps.folded) return Kind::folded;
  if (word == &lines.finished.epoch) return Kind::finished;
  const auto& central = lines.finished.central;
  if (word == &central.arrived) return Kind::arrived;
  if (word == &central.done || word == &central.last) return Kind::done;
  if (word == &central.bell.sleepers) return Kind::sleepers;
  for (const auto* stage : {&lines.deliveries.to_group, &lines.crossings[0].up, &lines.crossings[0].down,
                            &lines.crossings[1].up, &lines.crossings[1].down}) {
    for (const auto& done : stage->done) {
      if (word == &done) return Kind::stage;
    }
  }
  return {};
}

}  // namespace foldlane::model
