// Groups as other calls see them.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "api/objects/group.hpp"

namespace foldlane::api {

struct Communicator;

/// The group with these members; looks for this process among them.
GroupRef make_group(std::vector<int> ranks, MPI_Session session);

GroupRef group_of(const Communicator& communicator);

/// Throws MPI_ERR_GROUP if the handle is null or was freed.
GroupRef check_group(MPI_Group group);

/// A handle the user has to free; MPI_GROUP_EMPTY if nobody is in the group.
MPI_Group new_group_handle(GroupRef group);

/// Groups that users have created and not freed.
std::uint64_t live_groups();

}  // namespace foldlane::api
