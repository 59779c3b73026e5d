// What the library knows about how this process was started, under the keys of the standard.
#pragma once

#include "api/objects/info_map.hpp"

namespace foldlane::api {

/// The content of MPI_INFO_ENV: as things were at the first call, which MPI_Init makes at the latest.
const InfoMap& environment_info();

/// The same with the command line the program gives; the real one if argc is 0 or argv is null.
InfoMap environment_info_of(int argc, char** argv);

}  // namespace foldlane::api
