// Which ranks share hardware: the colors of MPI_Comm_split_type.
#pragma once

#include <mpi.h>

#include <cstdint>

#include "api/info_map.hpp"
#include "engine/team.hpp"

namespace foldlane::api {

/// Equal on members that end up in one communicator; MPI_UNDEFINED for none. Collective over the team. Throws
/// MPI_ERR_ARG for an unknown split type, and what the communication fails with.
std::int64_t hardware_color(engine::Team& team, int split_type, const InfoMap& info);

}  // namespace foldlane::api
