// What neighbours tell each other of their edges.
#pragma once

#include "engine/moves/neighbours/edge_lists.hpp"
#include "engine/team/call_info.hpp"
#include "engine/team/team.hpp"
#include "shm/base/result.hpp"

namespace foldlane::engine {

/// Collective, and blocking like the calls of collectives.hpp, with their errors; a member waits for its
/// neighbours alone. Fills in what each edge's taker knows of its giver's blocks. `as`: what it is announced
/// as.
shm::Result<void> find_places(Team& team, const CallInfo& as, const Edges& edges);

}  // namespace foldlane::engine
