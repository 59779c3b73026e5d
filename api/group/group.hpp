// What a group handle stands for: an ordered set of ranks of MPI_COMM_WORLD.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace foldlane::api {

struct Communicator;

struct Group {
  std::vector<int> ranks;  // of MPI_COMM_WORLD, in group order, none twice
  int rank;                // the position of this process, or MPI_UNDEFINED

  int size() const noexcept { return static_cast<int>(ranks.size()); }
};

/// Shared, because a communicator and any number of handles may stand for one group.
using GroupRef = std::shared_ptr<const Group>;

/// The group with these members; looks for this process among them.
GroupRef make_group(std::vector<int> ranks);

GroupRef group_of(const Communicator& communicator);

/// Throws MPI_ERR_GROUP if the handle is null or was freed.
GroupRef check_group(MPI_Group group);

/// A handle the user has to free; MPI_GROUP_EMPTY if nobody is in the group.
MPI_Group new_group_handle(GroupRef group);

/// Groups that users have created and not freed.
std::uint64_t live_groups();

}  // namespace foldlane::api
