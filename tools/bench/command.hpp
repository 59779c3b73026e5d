// `foldlane bench`: measures collectives, verifies them, and compares.
#pragma once

#include <string>
#include <vector>

namespace foldlane::bench {

/// `arguments` without the command's own name. Returns the exit code.
int bench_command(const std::vector<std::string>& arguments);

}  // namespace foldlane::bench
