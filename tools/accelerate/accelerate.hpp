// `foldlane accelerate`: a job of another MPI with Foldlane under its collectives (api/host).
#pragma once

#include <string>
#include <vector>

namespace foldlane::tools {

/// `arguments` without the command's own name. Returns only if the job cannot be started, or for a question:
/// the exit code.
int accelerate_command(const std::vector<std::string>& arguments);

}  // namespace foldlane::tools
