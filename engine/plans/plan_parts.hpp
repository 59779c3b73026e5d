// What plans of different teams and calls have in common.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/plans/plan.hpp"

namespace foldlane::engine {

/// Pieces end on whole lines, so that two members never write results into one line of a user buffer's page.
inline constexpr std::size_t kPieceGranuleBytes = 64;

inline std::uint64_t chunks_of(std::uint64_t share_bytes, std::size_t piece_bytes) {
  return std::max<std::uint64_t>(1, (share_bytes + piece_bytes - 1) / piece_bytes);
}

/// Of a slot that is cut for all members.
inline std::size_t piece_bytes_for(const TeamShape& team) {
  return team.slot_bytes / static_cast<std::size_t>(team.ranks) / kPieceGranuleBytes * kPieceGranuleBytes;
}

/// All ranks' inputs and results together no longer fit the last-level cache: what is written would only push
/// out the slots, and reading the line for ownership first would cost a third of the memory traffic.
inline bool should_stream(std::uint64_t bytes, const TeamShape& team) {
  return team.llc_bytes > 0 && 2 * bytes * static_cast<std::uint64_t>(team.ranks) > team.llc_bytes;
}

inline Plan by_the_last(Call call) {
  return {Class::inline_line,
          Style::central,
          0,
          1,
          false,
          2,
          call == Call::barrier ? "ranks share CPUs" : "ranks share CPUs; if the operation is predefined"};
}

inline Plan in_one_line(Call call) {
  return {Class::inline_line,
          Style::whole,
          0,
          1,
          false,
          1,
          call == Call::barrier ? "nothing but epochs to exchange" : "fits beside the epoch"};
}

inline Plan by_messages(const char* why) { return {Class::messages, Style::whole, 0, 1, false, 1, why}; }

inline Plan alone(const char* why) { return {Class::alone, Style::whole, 0, 0, false, 0, why}; }

}  // namespace foldlane::engine
