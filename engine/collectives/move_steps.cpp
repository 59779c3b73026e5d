#include "engine/collectives/move_steps.hpp"

#include <functional>

#include "engine/collectives/info.hpp"
#include "engine/collectives/perform.hpp"
#include "engine/collectives/plan.hpp"
#include "engine/collectives/plan_of_two.hpp"
#include "engine/moves/by_messages.hpp"

namespace foldlane::engine {

using shm::Result;

namespace {

Plan chosen_plan(Team& team, const Collective& call) {
  return plan(call.call, call.movement->block_bytes, shape_of(team));
}

/// Groups know nothing of each other's blocks.
bool is_by_messages(const Plan& plan, const Collective& call) {
  return plan.cls == Class::messages || plan.cls == Class::alone || call.is_between_groups();
}

}  // namespace

Procedure move_steps(Team& team, const Collective& call) {
  const Plan chosen = chosen_plan(team, call);
  const Movement* const movement = call.movement;
  if (is_by_messages(chosen, call)) return move_by_messages(team, *movement);
  if (team.size() == 2)
    return move_of_two(team, call.call, call.root, *movement, chosen.piece_bytes, kMostInBoxes);
  if (chosen.style == Style::central)
    return as_procedure<CentralMove>(team, call.call, call.root, std::cref(*movement));
  return as_procedure<InlineMove>(team, call.call, call.root, std::cref(*movement));
}

bool run_move(Team& team, const Collective& call) {
  if (is_short_move(team, call)) return run_turns(InlineMove(team, call.call, call.root, *call.movement));
  const Plan chosen = chosen_plan(team, call);
  if (is_by_messages(chosen, call)) return move_by_messages(team, *call.movement).run();
  if (chosen.style == Style::central)
    return run_turns(CentralMove(team, call.call, call.root, *call.movement));
  const PairPart part(team, call.call, call.root, *call.movement, chosen.piece_bytes, kMostInBoxes);
  if (is_plain(team, part.move)) return run_plain(team, part.move);
  return move_steps(team, call).run();
}

bool limit_at_once(Team& team, Call call, std::uint64_t block_bytes, PairMove& move) {
  move.most_in_line = most_in_line(move.tells_length);
  move.most_in_boxes = kMostInBoxes;
  if (move.uses_boxes()) move.chunk_bytes = plan(call, block_bytes, shape_of(team)).piece_bytes;
  return is_plain(team, move);
}

Result<void> move_at_once(Team& team, const Collective& call) {
  if (!team.enter(info_of(call, team))) [[unlikely]]
    return failure_of(team);
  return verdict(team, run_plain(team, *call.pair));
}

}  // namespace foldlane::engine
