// Where ranks run, in words.
#pragma once

#include <string>
#include <vector>

#include "shm/machine/placement.hpp"

namespace foldlane::tools {

/// "0-3,8"
std::string cpu_list(const std::vector<int>& cpus);

/// A line for the job, and one for each rank.
std::vector<std::string> binding_lines(const shm::Placement& placement);

}  // namespace foldlane::tools
