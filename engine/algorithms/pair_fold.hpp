// A reduction of two members, as either sees it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/data/reduction.hpp"
#include "engine/data/shares.hpp"

namespace foldlane::engine {

struct PairFold {
  const std::byte* send;
  std::byte* recv;
  Piece mine;    // of the result: goes to the top of recv
  Piece theirs;  // what the other member wants
  const Reduction* reduction;
  std::size_t box_count;  // elements that a box holds
  bool streaming;         // recv will not be read back soon: bypass the caches; else as measured
  bool keeps = false;     // what goes to the other member is this one's result, too: the first of a scan

  std::uint64_t turns() const {
    const std::size_t most = std::max(mine.count, theirs.count);
    return std::max<std::uint64_t>(1, (most + box_count - 1) / box_count);
  }
};

}  // namespace foldlane::engine
