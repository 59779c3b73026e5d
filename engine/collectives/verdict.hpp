// How a call of a team ended, as a Result.
#pragma once

#include "engine/team/team.hpp"
#include "shm/base/result.hpp"

namespace foldlane::engine {

/// Why a wait of this team has failed: the job, or the team.
[[gnu::cold]] shm::Error failure_of(Team& team);

inline shm::Result<void> verdict(Team& team, bool done) {
  if (done) [[likely]]
    return {};
  return failure_of(team);
}

}  // namespace foldlane::engine
