// Broadcasts of more than a line, and the exscan of two members, which is one.
#pragma once

#include "engine/algorithms/broadcast.hpp"
#include "engine/collectives/collective.hpp"
#include "engine/plans/plan.hpp"
#include "engine/progress/procedure.hpp"

namespace foldlane::engine {

/// As the plan says.
Procedure broadcast_steps(Team& team, Plan chosen, Broadcast call);
/// To the only other member.
Procedure broadcast_by_message(Team& team, Mail mail, Broadcast call);

/// An exscan of two: what the second member gets is the first one's input as it is.
bool is_handed_on(const Team& team, const Plan& plan, const Collective& call);
Procedure hand_on_steps(Team& team, const Plan& plan, const Collective& call);
/// The same, blocking. False if the job or the team has failed.
bool hand_on(Team& team, const Plan& plan, const Collective& call);

}  // namespace foldlane::engine
