// Plans of teams of two, and what they have in common with those of larger teams.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/collectives/plan.hpp"

namespace foldlane::engine {

/// Pieces end on whole lines, so that two members never write results into one line of a user buffer's page.
inline constexpr std::size_t kPieceGranuleBytes = 64;

inline std::uint64_t chunks_of(std::uint64_t share_bytes, std::size_t piece_bytes) {
  return std::max<std::uint64_t>(1, (share_bytes + piece_bytes - 1) / piece_bytes);
}

/// All ranks' inputs and results together no longer fit the last-level cache: what is written would only push
/// out the slots, and reading the line for ownership first would cost a third of the memory traffic.
inline bool should_stream(std::uint64_t bytes, const TeamShape& team) {
  return team.llc_bytes > 0 && 2 * bytes * static_cast<std::uint64_t>(team.ranks) > team.llc_bytes;
}

/// Of all calls but scans and barriers, of more bytes than fit a line and of elements that fit a slot.
Plan plan_of_two(Call call, std::uint64_t bytes, const TeamShape& team, std::size_t elem_bytes);

/// Of calls that only move data: longer blocks go by messages, which have more ways to go.
inline constexpr std::uint64_t kMostInBoxes = 32 << 10;
/// Those that go through boxes, in blocks of `bytes`. Of lists only their two members know how long the
/// blocks are: 0.
Plan move_of_two(Call call, std::uint64_t bytes, const TeamShape& team);

}  // namespace foldlane::engine
