// Launchers that are not ours: how a process knows that one of them has started it, and as which rank of
// which job. A launcher that is known, but does not say all that it takes, is an error: each rank for itself
// would otherwise be a job of one.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "engine/identity/pmi.hpp"
#include "shm/base/result.hpp"

namespace foldlane::engine {

/// Anything but the empty string: whoever has started this process, it is a job of its own.
inline constexpr char kAloneVariable[] = "FOLDLANE_ALONE";
/// Seconds that ranks wait for each other to come.
inline constexpr char kJoinTimeoutVariable[] = "FOLDLANE_JOIN_TIMEOUT";
inline constexpr int kUsualJoinTimeoutS = 60;

/// What it sets for each of its ranks; null: it has nothing that says this.
struct Launcher {
  const char* name;
  const char* mark;  // is set: it has started this process
  const char* rank;  // null: PMI is asked for it, and for all else
  const char* size;
  const char* rank_here;   // on this node, where all of the job must be
  const char* ranks_here;  // may be missing, too
  const char* nodes;
  std::array<const char*, 4> job;  // tell it from others; all but the first may be missing
  bool may_leave = false;          // its ranks may outlive it, as those of a shell's background do
};

/// Who has started this process. Null: nobody that is known here, or our own launcher, or it is to be alone.
const Launcher* foreign_launcher() noexcept;

/// A rank of a job on this node.
struct ForeignRank {
  int rank;
  int size;
  std::string job;         // differs from what other jobs on this node are called
  std::optional<Pmi> pmi;  // the launcher is to be told how the rank ends
};

/// Errors: something is missing, or contradicts the rest; the job is on several nodes.
shm::Result<ForeignRank> rank_under(const Launcher& launcher);

shm::Result<int> join_timeout_s();

}  // namespace foldlane::engine
