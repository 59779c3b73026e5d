// Calls among neighbours, in which a member waits for these alone.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/collectives/collective.hpp"
#include "engine/moves/neighbours/neighbour_rows.hpp"
#include "engine/plans/plan.hpp"
#include "engine/progress/procedure.hpp"
#include "engine/team/team.hpp"
#include "shm/base/result.hpp"

namespace foldlane::engine {

/// Whether a call is one of them, and there is somebody else.
bool goes_among_neighbours(const Team& team, const Collective& call);
/// The call after its announcement, and the same blocking to its end. False: the job or the team has failed.
Procedure move_among_neighbours(Team& team, const Collective& call);
bool run_among_neighbours(Team& team, const Collective& call);

/// What carries this member's blocks in such a call.
Plan plan_among_neighbours(const Team& team, const Collective& call);

/// Whether lines carry all blocks among neighbours, none of whom shows more than so many, at least one.
inline bool fit_lines(const Team& team, std::uint64_t block_bytes, std::uint32_t shown_blocks) noexcept {
  constexpr std::size_t kMost = Team::InlineLines::kBytesBesideNumber;
  return team.size() > 1 && block_bytes <= kMost && block_bytes * shown_blocks <= kMost;
}
/// That call and its announcement, blocking.
shm::Result<void> perform_among_neighbours(Team& team, Call call, const NeighbourRows& rows);

}  // namespace foldlane::engine
