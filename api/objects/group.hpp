// What a group handle stands for: an ordered set of ranks of MPI_COMM_WORLD.
#pragma once

#include <mpi.h>

#include <memory>
#include <vector>

namespace foldlane::api {

struct Group {
  std::vector<int> ranks;  // of MPI_COMM_WORLD, in group order, none twice
  int rank;                // the position of this process, or MPI_UNDEFINED
  MPI_Session session;     // that it comes from, or MPI_SESSION_NULL

  int size() const noexcept { return static_cast<int>(ranks.size()); }
};

/// Shared, because a communicator and any number of handles may stand for one group.
using GroupRef = std::shared_ptr<const Group>;

}  // namespace foldlane::api
