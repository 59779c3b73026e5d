// Where the segment of a job comes from.
#pragma once

#include <span>

#include "engine/job/environment.hpp"
#include "shm/base/result.hpp"
#include "shm/machine/cpu_mask.hpp"
#include "shm/segment/segment.hpp"

namespace foldlane::engine {

/// Of a job without a launcher.
shm::Result<shm::Segment> segment_of_one();

/// The one that the launcher has made. Closes the descriptor that it was inherited by.
shm::Result<shm::Segment> segment_of(const Identity& identity);

/// For ranks that are bound to these CPUs already, by whoever has started them.
shm::Result<shm::Segment> segment_for(std::span<const shm::CpuMask> ranks);

}  // namespace foldlane::engine
