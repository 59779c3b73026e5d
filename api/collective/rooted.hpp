// The root argument of calls on intercommunicators: MPI_ROOT at the root, MPI_PROC_NULL at its neighbours,
// the root's rank in the other group.
#pragma once

#include <mpi.h>

#include "api/objects/communicator.hpp"

namespace foldlane::api {

/// Throws MPI_ERR_ROOT unless `root` is one of these.
engine::Part check_part(const Communicator& inter, int root);

/// A member's part in a rooted call that moves data, on any communicator.
struct RootedPart {
  bool is_root;
  bool has_block;  // it has a block of its own among those that come together, or begin, at the root
  int root;        // a member of the team; of who has a block
};
RootedPart check_rooted_part(const Communicator& communicator, int root);

}  // namespace foldlane::api
