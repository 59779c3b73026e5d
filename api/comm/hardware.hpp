// Which ranks share hardware: what MPI_Comm_split_type goes by.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>

#include "api/objects/info_map.hpp"
#include "engine/team/team.hpp"

namespace foldlane::api {

/// The info key that names a kind of hardware.
inline constexpr char kHardwareKey[] = "mpi_hw_resource_type";

struct HardwareChoice {
  std::int64_t color;  // equal on members that end up in one communicator; MPI_UNDEFINED for none
  std::string type;    // the kind of hardware they share; empty if the split did not go by one
};

/// Collective over the team. Throws MPI_ERR_ARG for an unknown split type, MPI_ERR_INFO_VALUE for an info
/// that names two things to split by, and what the communication fails with.
HardwareChoice choose_hardware(engine::Team& team, int split_type, const InfoMap& info);

}  // namespace foldlane::api
