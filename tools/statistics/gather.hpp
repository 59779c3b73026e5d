// Reads what the ranks of a job have left in its segment.
#pragma once

#include <chrono>
#include <cstdint>

#include "shm/machine/placement.hpp"
#include "shm/segment/segment.hpp"
#include "shm/sync/ticks.hpp"
#include "statistics/job_statistics.hpp"

namespace foldlane::tools {

/// How long a tick takes: the longer it has run, the better it knows.
class TickLength {
 public:
  double seconds() const;
  double seconds_per_tick() const;

 private:
  using Clock = std::chrono::steady_clock;

  shm::Ticks ticks_ = shm::Ticks::of_this_machine();
  std::uint64_t first_tick_ = ticks_.now();
  Clock::time_point start_ = Clock::now();
};

/// When all ranks have ended: compares the calls that they did not get to, and adds up.
JobStatistics gather(const shm::Segment& segment, const shm::Placement& placement, const TickLength& clock);

}  // namespace foldlane::tools
