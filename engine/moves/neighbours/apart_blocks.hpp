// Blocks of a call among neighbours that no line and no slot carries: messages bring them, after the turns.
#pragma once

#include <vector>

#include "engine/moves/movement.hpp"

namespace foldlane::engine {

struct ApartBlocks {
  std::vector<Block> sends;
  std::vector<Block> receives;

  bool are_there() const noexcept { return !sends.empty() || !receives.empty(); }
};

}  // namespace foldlane::engine
