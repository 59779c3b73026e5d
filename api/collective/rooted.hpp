// The root argument of calls on intercommunicators: MPI_ROOT at the root, MPI_PROC_NULL at its neighbours,
// the root's rank in the other group.
#pragma once

#include <mpi.h>

#include "api/objects/communicator.hpp"

namespace foldlane::api {

/// Throws MPI_ERR_ROOT unless `root` is one of these.
engine::Part check_part(const Communicator& inter, int root);

}  // namespace foldlane::api
