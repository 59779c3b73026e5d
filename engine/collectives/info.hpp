// What members announce of a call.
#pragma once

#include <cstdint>

#include "engine/collectives/collective.hpp"
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

inline CallInfo info_between(const Collective& call) {
  if (call.call == Call::reduce || call.call == Call::bcast) return bare_info(call.call);
  return info_of(call.call, call.count, *call.reduction);
}

/// Of data that only move. Of two groups each has blocks of its own, and bystanders know nothing of them.
inline CallInfo info_of_move(const Collective& call) {
  if (call.is_between_groups()) return bare_info(call.call);
  // Who has no neighbours knows nothing of theirs.
  const std::uint64_t count = moves_equal_blocks(call.call) ? call.movement->block_bytes : 0;
  return {.call = call.call, .root = static_cast<std::uint16_t>(call.root), .count = count};
}

/// Of any call.
inline CallInfo info_of(const Collective& call, const Team& team) {
  if (call.call == Call::barrier) return {.call = call.call};
  if (call.movement != nullptr) return info_of_move(call);
  if (call.is_between_groups()) return info_between(call);
  if (call.call == Call::reduce_scatter) return info_of(call.blocks, team.size(), *call.reduction);
  if (call.call != Call::bcast) return info_of(call.call, call.count, *call.reduction, call.root);
  return {.call = call.call,
          .root = static_cast<std::uint16_t>(call.root),
          .type = call.type,
          .count = call.count};
}

}  // namespace foldlane::engine
