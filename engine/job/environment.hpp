// What the environment says about this process's part in a job.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/choice/decision.hpp"
#include "engine/deadlock/policy.hpp"
#include "engine/progress/foreign_progress.hpp"
#include "shm/base/result.hpp"

namespace foldlane::engine {

/// True under a launcher, which then reports the culprit of a failure itself. Also before Job::join.
bool is_launched() noexcept;

struct Identity {
  int rank;
  int size;
  int segment_fd;
};

/// Of FOLDLANE_RANK/SIZE/SEGMENT_FD. nullopt: not started by a launcher, a job of one rank.
shm::Result<std::optional<Identity>> identity_from_environment();

/// How a rank is to work.
struct Settings {
  ForcedArms forced;
  DeadlockPolicy deadlock;
  std::int64_t haste;
  std::uint64_t unexpected_limit;  // bytes of messages that nobody has asked for
  bool shared_heap;                // what the program allocates lies in the segment
  /// Whose messages waits go on with; null: nobody's. It must outlive the job.
  ForeignProgress* foreign = nullptr;
};

shm::Result<Settings> settings_from_environment();

}  // namespace foldlane::engine
