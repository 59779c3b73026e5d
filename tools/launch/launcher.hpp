// `foldlane run`: turns the options into a segment and processes, and hands them to the supervisor.
#pragma once

#include <string>
#include <vector>

namespace foldlane::tools {

/// `arguments` without the command's own name. Returns the exit code.
int run_command(const std::vector<std::string>& arguments);

}  // namespace foldlane::tools
