// A reduction of two members, as either sees it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/data/reduction.hpp"
#include "engine/data/shares.hpp"
#include "engine/team/transfer.hpp"
#include "kernels/copy.hpp"

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

  /// While what it is folded with is awaited. What was given has been read.
  void fetch_unread_input() const noexcept {
    const bool gives = theirs.count > 0;
    if (reduction->type_map != nullptr || (gives && mine.start == theirs.start)) return;
    const std::size_t bytes = mine.count * reduction->elem_bytes;
    if (bytes > 0 && bytes <= (gives ? kFetchedOfInput : kFetchedOfInputByTaker))
      kernels::prefetch(send + mine.start * reduction->elem_bytes, bytes);
  }
};

}  // namespace foldlane::engine
