// What members announce of a call.
#pragma once

#include <cstdint>

#include "engine/data/block_counts.hpp"
#include "engine/data/reduction.hpp"
#include "engine/team/call_info.hpp"

namespace foldlane::engine {

inline CallInfo info_of(Call call, std::uint64_t count, const Reduction& reduction, int root = 0) {
  return {.call = call,
          .operation = reduction.operation,
          .root = static_cast<std::uint16_t>(root),
          .type = reduction.type,
          .count = count};
}

inline CallInfo info_of(const BlockCounts& counts, int members, const Reduction& reduction) {
  auto hash = static_cast<std::uint64_t>(counts[0]);
  if (!counts.are_equal()) {
    for (int member = 0; member < members; ++member)
      hash = hash * 0x9e3779b97f4a7c15U + static_cast<std::uint64_t>(counts[member]);
  }
  CallInfo info = info_of(Call::reduce_scatter, hash, reduction);
  info.variant = counts.are_equal() ? kEqualBlocks : 0;
  return info;
}

/// A rooted call between groups: bystanders know nothing more.
inline CallInfo bare_info(Call call) { return {.call = call, .variant = kBetween}; }

}  // namespace foldlane::engine
