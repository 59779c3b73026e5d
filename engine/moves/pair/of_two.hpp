// Calls that only move data, of a team of two.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/moves/movement.hpp"
#include "engine/moves/pair/pair_turns.hpp"
#include "engine/progress/frame_pool.hpp"
#include "engine/progress/procedure.hpp"
#include "engine/team/call_info.hpp"
#include "engine/team/team.hpp"

namespace foldlane::engine {

/// A member's part in such a call, from the lists of its blocks or from what is not to outlast the arguments.
/// It points into itself.
struct PairPart {
  explicit PairPart(const PairMove& given);
  PairPart(const Team& team, Call call, int root, const Movement& movement, std::size_t chunk_bytes,
           std::uint64_t most_in_boxes);
  PairPart(const PairPart&) = delete;
  PairPart& operator=(const PairPart&) = delete;

  /// As often as coroutines.
  static void* operator new(std::size_t bytes) { return FramePool::of_thread().allocate(bytes); }
  static void operator delete(void* part, std::size_t bytes) noexcept {
    FramePool::of_thread().release(part, bytes);
  }

  std::array<UserBuffer, 2> own;
  PairMove move;
};

/// What the line of an epoch carries of a block, beside its length if that is told.
constexpr std::uint64_t most_in_line(bool tells_length) noexcept {
  return tells_length ? Team::InlineLines::kBytesBesideNumber : Team::kInlineBytes;
}

/// The call after its announcement. What `movement` points to must outlive it.
Procedure move_of_two(Team& team, Call call, int root, const Movement& movement, std::size_t chunk_bytes,
                      std::uint64_t most_in_boxes);

/// The same, blocking to its end, if that takes no coroutine: the boxes are known, or nothing is for them,
/// and nothing is long.
inline bool is_plain(Team& team, const PairMove& move) {
  if (move.is_long(move.in) || move.is_long(move.out)) return false;
  return !move.uses_boxes() || team.deliveries().boxes().known();
}
inline bool goes_long_way(const PairMove& move) { return move.exchanges_long() || move.passes_long(); }
/// False if the job or the team has failed.
inline bool run_plain(Team& team, const PairMove& move) {
  return run_pair_move(team, move) && !team.agreement().broken();
}
/// The same of what goes_long_way(). `replaces`: what comes takes the place of what goes.
bool run_long(Team& team, const Mail& mail, const PairMove& move, bool replaces);
/// Of any call, as move_of_two().
bool run_of_two(Team& team, Call call, int root, const Movement& movement, std::size_t chunk_bytes,
                std::uint64_t most_in_boxes);

}  // namespace foldlane::engine
