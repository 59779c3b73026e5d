// Calls of more than two members whose blocks go by lists (engine/moves/lists), after their announcement.
#pragma once

#include "engine/collectives/collective.hpp"
#include "engine/p2p/user_buffer.hpp"
#include "engine/progress/procedure.hpp"
#include "engine/team/team.hpp"

namespace foldlane::engine {

/// `is_central`: the last one to arrive tells the others.
Procedure move_by_lists(Team& team, const Collective& call, bool is_central);
/// The same, blocking to its end. False: the job or the team has failed.
bool run_by_lists(Team& team, const Collective& call, bool is_central);
/// The same of a scatterv as a leaf, with a block that goes in a line or in the root's slot unless the
/// others' are too long.
bool run_scatter_as_leaf(Team& team, const UserBuffer& block, int root);

}  // namespace foldlane::engine
