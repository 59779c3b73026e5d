// The blocking collectives of a team. Collective: every member calls the same function with matching
// arguments, in the same order. Counts are elements, 64 bits. `send == recv` means in place. Buffers have any
// alignment.
//
// Every call returns when the caller's part is done (leaves may leave early), or with Errc::peer_failed
// within the bound of design.md section 1 once a rank of the job has died; the team is unusable from then on.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/block_counts.hpp"
#include "engine/reduction.hpp"
#include "engine/team.hpp"
#include "shm/result.hpp"

namespace foldlane::engine {

shm::Result<void> barrier(Team& team);

shm::Result<void> bcast(Team& team, void* buffer, std::size_t bytes, int root);

shm::Result<void> allreduce(Team& team, const void* send, void* recv, std::size_t count,
                            const Reduction& reduction);

/// recv is read and written at the root only (null elsewhere).
shm::Result<void> reduce(Team& team, const void* send, void* recv, std::size_t count,
                         const Reduction& reduction, int root);

/// The sum of all counts is reduced; member r receives block r. In place, the input is in recv and the block
/// ends up at its top.
shm::Result<void> reduce_scatter(Team& team, const void* send, void* recv, const BlockCounts& counts,
                                 const Reduction& reduction);

}  // namespace foldlane::engine
