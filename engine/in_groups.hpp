// The calls of teams in groups. Compiled apart from those of flat teams, whose fast paths the compiler would
// inline less of beside them (8 ns of a barrier of 65).
#pragma once

#include "engine/broadcast.hpp"
#include "engine/fold_whole.hpp"
#include "engine/plan.hpp"
#include "engine/shares.hpp"
#include "shm/result.hpp"

namespace foldlane::engine {

inline constexpr int kNobody = -1;

/// `root`: of a reduce, else kNobody; `blocks`: of a reduce-scatter, else null.
shm::Result<void> fold_in_groups(Team& team, const Plan& plan, const WholeFold& fold, int root,
                                 const Shares* blocks);
/// Also of a team of one, which meets at once.
shm::Result<void> meet_in_groups(Team& team);
/// With the slots of the call at hand, if the plan is not inline. False if the job has failed.
bool broadcast_in_groups(Team& team, const Plan& plan, const Broadcast& call);

}  // namespace foldlane::engine
