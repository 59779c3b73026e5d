// Ourselves as an implementation that a campaign measures.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bench/measure/implementation.hpp"

namespace foldlane::bench {

/// Launched by that before what launches us.
inline Implementation launched_by(const std::vector<std::string>& words) {
  Implementation peer{
      .name = "foldlane",
      .version = "",
      .options = "",
      .launch = {FOLDLANE_BIN "/foldlane", "run", "--quiet", "--bind-to", "none"},
      .probe = std::filesystem::path(FOLDLANE_BIN).parent_path() / "libexec/foldlane/bench-probe"};
  peer.launch.insert(peer.launch.begin(), words.begin(), words.end());
  return peer;
}

}  // namespace foldlane::bench
