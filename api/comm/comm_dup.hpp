// What duplicates of communicators have in common.
#pragma once

#include <memory>

#include "api/comm/communicator.hpp"

namespace foldlane::api {

/// The communicator of `team`, which duplicates that of the communicator `comm`: with its groups, the given
/// hints, and the attributes that their copy functions let through. Throws what a copy function fails with.
MPI_Comm new_duplicate(MPI_Comm comm, std::unique_ptr<engine::Team> team, InfoMap info);

}  // namespace foldlane::api
