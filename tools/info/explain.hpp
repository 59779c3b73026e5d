// `foldlane explain`: prints the plan by which a collective would be carried out, here or on another machine.
#pragma once

#include <string>
#include <vector>

namespace foldlane::tools {

/// `arguments` without the command's own name. Returns the exit code.
int explain_command(const std::vector<std::string>& arguments);

}  // namespace foldlane::tools
