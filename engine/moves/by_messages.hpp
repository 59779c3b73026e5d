// Calls that only move data, by a message for each block.
#pragma once

#include "engine/moves/movement.hpp"
#include "engine/progress/procedure.hpp"
#include "engine/team/team.hpp"

namespace foldlane::engine {

/// The call after its announcement. What `movement` points to must outlive it.
Procedure move_by_messages(Team& team, const Movement& movement);

}  // namespace foldlane::engine
