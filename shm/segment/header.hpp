// The header of a segment: what the launcher writes, and what everybody checks before relying on it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "shm/base/result.hpp"
#include "shm/machine/placement.hpp"
#include "shm/segment/layout.hpp"

namespace foldlane::shm {

/// Sizes that a segment can have. Error: invalid.
Result<void> check_shape(const SegmentShape& shape);

/// Its checksum is still to be set.
SegmentHeader header_for(const SegmentShape& shape, const Placement& placement, std::uint64_t llc_bytes);
std::vector<RankPlaceEntry> entries(const Placement& placement);

/// Of all that precedes the checksum, and of the places.
std::uint64_t checksum(const SegmentHeader& header, std::span<const RankPlaceEntry> places);

/// Every field that later code relies on, of a file of so many bytes, for a process that knows areas with
/// this hash. Error: bad_segment.
Result<void> validate(const SegmentHeader& header, std::uint64_t file_bytes, std::uint64_t layout_hash);
Error bad_segment(std::string why);

}  // namespace foldlane::shm
