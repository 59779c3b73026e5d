// The process that has started this rank, to be seen when it ends: nobody ends the ranks of a launcher that
// is killed.
#pragma once

#include "engine/identity/launchers.hpp"
#include "shm/base/unique_fd.hpp"

namespace foldlane::engine {

/// A pidfd, which can be read from once it has ended. Not open: it may leave its ranks, or is not seen from
/// here.
shm::UniqueFd process_of(const Launcher& launcher);

}  // namespace foldlane::engine
