// How a call of a team ended, as a Result.
#pragma once

#include <memory>

#include "engine/team/team.hpp"
#include "shm/base/result.hpp"

namespace foldlane::engine {

/// Why a wait for what this rank of the job does has failed: it has died, or the job has failed.
[[gnu::cold]] shm::Error death_of(const Process& process, int rank);

/// Why a wait of this team has failed: the job, or the team.
[[gnu::cold]] shm::Error failure_of(Team& team);

/// The same for who asks when the team may be gone.
struct Failure {
  shm::Error error;
  Trouble trouble;
};
[[gnu::cold]] std::unique_ptr<const Failure> failure_to_keep(Team& team);

inline shm::Result<void> verdict(Team& team, bool done) {
  if (done) [[likely]]
    return {};
  return failure_of(team);
}

}  // namespace foldlane::engine
