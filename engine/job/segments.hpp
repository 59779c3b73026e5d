// Where the segment of a job comes from.
#pragma once

#include "engine/job/environment.hpp"
#include "shm/base/result.hpp"
#include "shm/segment/segment.hpp"

namespace foldlane::engine {

/// Of a job without a launcher.
shm::Result<shm::Segment> segment_of_one();

/// The one that the launcher has made. Closes the descriptor that it was inherited by.
shm::Result<shm::Segment> segment_of(const Identity& identity);

}  // namespace foldlane::engine
