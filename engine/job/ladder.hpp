// How the waits of a job go on.
#pragma once

#include <cstdint>

#include "engine/job/environment.hpp"
#include "shm/segment/segment.hpp"
#include "shm/sync/signals.hpp"

namespace foldlane::engine {

/// In haste a wait sleeps at once, and for a short time: so each of a test is one that the deadlock watch
/// sees.
inline shm::Ladder ladder_of(const shm::Segment& segment, const Settings& settings) {
  const std::uint32_t cpus = segment.header().shared_cpus;
  shm::Ladder ladder = cpus != 0 ? shm::Ladder::shared_cpu(cpus, static_cast<std::uint32_t>(segment.ranks()))
                                 : shm::Ladder::own_cpu();
  ladder.ticks = shm::Ticks::of_this_machine();
  if (settings.foreign != nullptr) ladder = ladder.attentive();
  if (settings.haste > 1) ladder.polls = ladder.yields = ladder.kept = 0;
  ladder.first_sleep_ns /= settings.haste;
  ladder.longest_sleep_ns /= settings.haste;
  return ladder;
}

}  // namespace foldlane::engine
