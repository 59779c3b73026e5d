// The state of a segment as text: which epoch each rank has reached in a team.
#pragma once

#include <string>

#include "shm/segment/segment.hpp"

namespace foldlane::testing {

std::string dump(const shm::Segment& segment, int team);

}  // namespace foldlane::testing
