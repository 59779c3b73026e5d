// How the waits of a job go on.
#pragma once

#include <cstdint>

#include "shm/segment/segment.hpp"
#include "shm/sync/signals.hpp"

namespace foldlane::engine {

/// In haste a wait sleeps at once, and for a short time: so each of a test is one that the deadlock watch
/// sees.
inline shm::Ladder ladder_of(const shm::Segment& segment, std::int64_t haste) {
  const std::uint32_t cpus = segment.header().shared_cpus;
  shm::Ladder ladder = cpus != 0 ? shm::Ladder::shared_cpu(cpus, static_cast<std::uint32_t>(segment.ranks()))
                                 : shm::Ladder::own_cpu();
  if (haste > 1) ladder.polls = ladder.yields = ladder.near_polls = 0;
  ladder.first_sleep_ns /= haste;
  ladder.longest_sleep_ns /= haste;
  return ladder;
}

}  // namespace foldlane::engine
