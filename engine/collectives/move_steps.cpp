#include "engine/collectives/move_steps.hpp"

#include <functional>

#include "engine/collectives/perform.hpp"
#include "engine/collectives/plan.hpp"
#include "engine/moves/by_messages.hpp"

namespace foldlane::engine {
namespace {

Plan chosen_plan(Team& team, const Collective& call) {
  return plan(call.call, call.movement->block_bytes, shape_of(team));
}

/// Groups know nothing of each other's blocks.
bool is_inline_move(const Plan& plan, const Collective& call) {
  return plan.cls == Class::inline_line && !call.is_between_groups();
}

}  // namespace

Procedure move_steps(Team& team, const Collective& call) {
  const Plan chosen = chosen_plan(team, call);
  const Movement* const movement = call.movement;
  if (!is_inline_move(chosen, call)) return move_by_messages(team, *movement);
  if (chosen.style == Style::central)
    return as_procedure<CentralMove>(team, call.call, call.root, std::cref(*movement));
  return as_procedure<InlineMove>(team, call.call, call.root, std::cref(*movement));
}

bool run_move(Team& team, const Collective& call) {
  if (is_short_move(team, call)) return run_turns(InlineMove(team, call.call, call.root, *call.movement));
  const Plan chosen = chosen_plan(team, call);
  if (is_inline_move(chosen, call) && chosen.style == Style::central)
    return run_turns(CentralMove(team, call.call, call.root, *call.movement));
  return move_by_messages(team, *call.movement).run();
}

}  // namespace foldlane::engine
