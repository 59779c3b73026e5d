// `foldlane info`: what Foldlane sees on this machine, what it does with it, and what it supports.
#pragma once

#include <string>
#include <vector>

namespace foldlane::tools {

/// `arguments` without the command's own name. Returns the exit code.
int info_command(const std::vector<std::string>& arguments);

}  // namespace foldlane::tools
