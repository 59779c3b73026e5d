// Calls that only move data, as their plan says.
#pragma once

#include "engine/collectives/collective.hpp"
#include "engine/moves/pair/of_two.hpp"
#include "engine/moves/shown_move.hpp"
#include "engine/plans/plan.hpp"
#include "engine/progress/procedure.hpp"

namespace foldlane::engine {

/// Whether blocks of more than two travel beside the epoch, and nobody does anything for others: what plan()
/// says, too.
inline bool is_short_move(const Team& team, Call call, std::uint64_t block_bytes) noexcept {
  if (team.size() == 2 || !moves_equal_blocks(call)) return false;
  const InlineLimits& limits = team.inline_limits();
  const auto bytes = static_cast<std::size_t>(shown_bytes(call, block_bytes, team.size()));
  return moves_from_or_to_root(call) ? limits.carry(bytes) : limits.carry_for_all(bytes);
}
inline bool is_short_move(const Team& team, const Collective& call) noexcept {
  return !call.is_between_groups() && is_short_move(team, call.call, call.movement->block_bytes);
}

/// Whether members of more than two show all blocks of an allgather or alltoall at once, in whatever way
/// plan() says: none goes by a message, so the call needs no channel.
inline bool is_shown_at_once(const Team& team, Call call, std::uint64_t block_bytes) noexcept {
  return block_bytes > 0 && fit_slots(call, block_bytes, shown_bytes(call, block_bytes, team.size()),
                                      team.process().geometry().slot_bytes);
}

/// Of two members, if lines do not carry all: completes what the call will do, and says whether that takes
/// turns and nothing else.
bool limit_boxes(Team& team, Call call, std::uint64_t block_bytes, PairMove& move);

/// Of a call that only moves data.
Plan plan_of_move(Team& team, const Collective& call);

/// The call after its announcement, and the same blocking to its end.
Procedure move_steps(Team& team, const Collective& call);
bool run_move(Team& team, const Collective& call);

}  // namespace foldlane::engine
