// Collectives between two groups.
#pragma once

#include "engine/collectives/collective.hpp"

namespace foldlane::engine {

Procedure steps_between(Team& team, const Collective& call);

}  // namespace foldlane::engine
