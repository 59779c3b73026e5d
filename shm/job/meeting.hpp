// How ranks that somebody else has started come to share a segment. Rank 0 listens under a name that follows
// from what the launcher calls the job. The others say who they are and which CPUs they are bound to; when
// all have come, rank 0 makes the segment and hands it out. Nobody goes on before all hold their life lines
// (life_lines.hpp), so who ends from then on is missed, and who ends before ends the meeting. Processes of
// other users are not let in, nor followed.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "shm/base/result.hpp"
#include "shm/machine/cpu_mask.hpp"
#include "shm/segment/segment.hpp"

namespace foldlane::shm {

struct Meeting {
  std::string job;  // differs from what this user's other jobs are called at the same time
  int rank;
  int size;
  std::chrono::seconds patience;  // with ranks that do not come
};

/// For ranks that are bound to these CPUs.
using SegmentMaker = std::function<Result<Segment>(std::span<const CpuMask>)>;

/// Blocks until all ranks have met. Errors, at all ranks that have come: a rank that does not come, or ends,
/// or contradicts rank 0; and whatever `make` fails with.
Result<Segment> meet(const Meeting& meeting, std::uint64_t layout_hash, const SegmentMaker& make);

/// The name that rank 0 of this user's job listens as.
std::string meeting_name(const std::string& job);

}  // namespace foldlane::shm
