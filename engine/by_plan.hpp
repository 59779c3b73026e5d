// Calls that the shortest path (short_calls.cpp) does not serve, after their announcement.
#pragma once

#include <cstddef>

#include "engine/block_counts.hpp"
#include "engine/collectives.hpp"
#include "engine/reduction.hpp"
#include "engine/team.hpp"
#include "shm/result.hpp"

namespace foldlane::engine {

shm::Result<void> allreduce_by_plan(Team& team, const void* send, void* recv, std::size_t count,
                                    const Reduction& reduction);
shm::Result<void> reduce_by_plan(Team& team, const void* send, void* recv, std::size_t count,
                                 const Reduction& reduction, int root);

shm::Result<void> bcast_by_plan(Team& team, const Message& message, int root);
shm::Result<void> reduce_scatter_by_plan(Team& team, const void* send, void* recv, const BlockCounts& counts,
                                         const Reduction& reduction);

}  // namespace foldlane::engine
