// Process sets: the names by which sessions and MPI_Comm_split_type know sets of ranks.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace foldlane::api {

/// As ranks of the job. Nothing if no set has this name. The library must be usable.
std::optional<std::vector<int>> members_of_process_set(std::string_view name);

}  // namespace foldlane::api
