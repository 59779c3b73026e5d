// The calls of teams in groups. Compiled apart from those of flat teams, whose fast paths the compiler would
// inline less of beside them (8 ns of a barrier of 65).
#pragma once

#include "engine/algorithms/broadcast.hpp"
#include "engine/collectives/collective.hpp"
#include "engine/plans/plan.hpp"

namespace foldlane::engine {

/// A reduction, with the slots of the call at hand if the plan is not inline.
Procedure fold_in_groups(Team& team, const Plan& plan, const Collective& call);
Procedure meet_in_groups(Team& team);
/// With the slots of the call at hand, if the plan is not inline.
Procedure broadcast_in_groups(Team& team, const Plan& plan, const Broadcast& call);

}  // namespace foldlane::engine
