// Collectives between two groups.
#pragma once

#include "engine/collectives/collective.hpp"

namespace foldlane::engine {

CallInfo info_between(const Collective& call);
Procedure steps_between(Team& team, const Collective& call);

}  // namespace foldlane::engine
