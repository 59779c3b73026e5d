// Where the segment of a job comes from.
#pragma once

#include <chrono>
#include <span>

#include "engine/identity/launchers.hpp"
#include "engine/job/environment.hpp"
#include "shm/base/result.hpp"
#include "shm/machine/cpu_mask.hpp"
#include "shm/segment/segment.hpp"

namespace foldlane::engine {

/// Of a job without a launcher.
shm::Result<shm::Segment> segment_of_one();

/// The one that the launcher has made. Closes the descriptor that it was inherited by.
shm::Result<shm::Segment> segment_of(const Identity& identity);

/// The one of a job that somebody else has launched: its ranks meet, and share it. Blocks until all have
/// come.
shm::Result<shm::Segment> segment_of(const ForeignRank& self, std::chrono::seconds patience);

/// For ranks that are bound to these CPUs already, by whoever has started them.
shm::Result<shm::Segment> segment_for(std::span<const shm::CpuMask> ranks);

}  // namespace foldlane::engine
