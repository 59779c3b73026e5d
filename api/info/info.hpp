// Info objects as other calls see them. Their content is copied in and out, so that a call is not disturbed
// by a user who changes or frees the object meanwhile.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string_view>

#include "api/objects/info_map.hpp"

namespace foldlane::api {

/// The content of an info argument: MPI_INFO_NULL has none. Throws MPI_ERR_INFO if the handle is no info.
InfoMap check_info(MPI_Info info);

/// Gives an answer in an info argument. Nothing if it is MPI_INFO_NULL or MPI_INFO_ENV, which nobody can
/// change.
void answer_in(MPI_Info info, std::string_view key, std::string_view value);

/// A handle the user has to free.
MPI_Info new_info_handle(InfoMap map);

/// Infos that users have created and not freed.
std::uint64_t live_infos();

}  // namespace foldlane::api
