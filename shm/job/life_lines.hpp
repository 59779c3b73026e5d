// How ranks without a launcher of ours learn of each other's deaths: each holds its life line, a lock on a
// byte of the segment that the kernel releases when the process ends, in whatever way.
//
// The locks are the process's, not the descriptor's (F_OFD_SETLK): a child that a rank forks has none, so it
// does not keep its parent alive in the eyes of the others. The price is that a process lets go of its line
// as soon as it closes any descriptor of the segment.
#pragma once

#include "shm/base/result.hpp"
#include "shm/segment/segment.hpp"

namespace foldlane::shm {

/// Until this process ends, `rank` is alive. Error: another process has its line.
Result<void> take_life_line(const Segment& segment, int rank);

/// Does what our launcher does about ranks whose processes have ended (JobMonitor): those that should not
/// have end the job. All ranks must have taken their lines before. By any rank; `own` is that.
void look_for_deaths(Segment& segment, int own);

}  // namespace foldlane::shm
