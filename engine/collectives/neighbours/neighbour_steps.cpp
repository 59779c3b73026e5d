#include "engine/collectives/neighbours/neighbour_steps.hpp"

#include <optional>

#include "engine/collectives/perform.hpp"
#include "engine/moves/block_list.hpp"
#include "engine/moves/by_messages.hpp"
#include "engine/moves/neighbours/list_layout.hpp"
#include "engine/moves/neighbours/neighbour_move.hpp"
#include "engine/moves/wrong_length.hpp"
#include "engine/plans/plan_of_moves.hpp"

namespace foldlane::engine {

using shm::Result;

namespace {

using Equal = EqualLayout<Team>;
using List = ListLayout<Team>;

/// What no line and no slot has carried.
Procedure pass_apart(Team& team, const Movement& movement, const ApartBlocks& apart) {
  const BlockList sends(apart.sends), receives(apart.receives);
  Movement rest = movement;
  rest.sends = &sends;
  rest.receives = &receives;
  co_await move_by_messages(team, rest);
}

/// Whether every edge along which something goes has two ends. Who sees one that has not gives the team up:
/// its other end does nothing about it.
bool has_both_ends(Team& team, const Movement& movement) {
  const OneSidedBlock& block = movement.one_sided;
  if (block.given == block.expected) return true;
  team.agreement().give_up(wrong_length(block.giver, block.taker, block.given, block.expected));
  return false;
}

template <class Layout>
Procedure move_among_neighbours(Team& team, const Movement& movement) {
  if (!has_both_ends(team, movement)) co_await Surrender();
  Layout layout(team, movement);
  std::optional<RingLease> slots;
  if (layout.is_in_slot()) slots.emplace(team);
  if (slots && !*slots) co_await Surrender();
  SteppedTurns<NeighbourMove<Team, Layout>> turns(team, layout);
  co_await TurnsWait(turns);
  if (team.agreement().broken()) co_await Surrender();
  if (layout.apart().are_there()) co_await pass_apart(team, movement, layout.apart());
}

template <class Layout>
bool run_among_neighbours(Team& team, const Movement& movement) {
  if (!has_both_ends(team, movement)) return false;
  Layout layout(team, movement);
  std::optional<RingLease> slots;
  if (layout.is_in_slot()) slots.emplace(team);
  if (slots && !*slots) return false;
  if (!run_turns(NeighbourMove<Team, Layout>(team, layout)) || team.agreement().broken()) return false;
  return !layout.apart().are_there() || pass_apart(team, movement, layout.apart()).run();
}

}  // namespace

bool goes_among_neighbours(const Team& team, const Collective& call) {
  return moves_among_neighbours(call.call) && team.size() > 1;
}

Procedure move_among_neighbours(Team& team, const Collective& call) {
  if (gives_list(call.call)) return move_among_neighbours<List>(team, *call.movement);
  return move_among_neighbours<Equal>(team, *call.movement);
}

bool run_among_neighbours(Team& team, const Collective& call) {
  if (gives_list(call.call)) return run_among_neighbours<List>(team, *call.movement);
  return run_among_neighbours<Equal>(team, *call.movement);
}

Plan plan_among_neighbours(const Team& team, const Collective& call) {
  const Movement& movement = *call.movement;
  if (movement.sends->count() == 0) return plan_among_neighbours(call.call, Carrier::line, 0);
  const std::size_t slot_bytes = team.process().geometry().slot_bytes;
  const Carrier carrier = gives_list(call.call)
                              ? carrier_of_list(movement.shown_blocks, bytes_in_line(movement), slot_bytes)
                              : carrier_of(movement.block_bytes, movement.shown_blocks, slot_bytes);
  return plan_among_neighbours(call.call, carrier, movement.block_bytes * movement.shown_blocks);
}

Result<void> perform_among_neighbours(Team& team, Call call, const NeighbourRows& rows) {
  if (!team.enter({.call = call})) [[unlikely]]
    return failure_of(team);
  using Layout = EqualLayout<Team, NeighbourRows>;
  Layout layout(team, rows);
  return verdict(team, run_turns(NeighbourMove<Team, Layout>(team, layout)) && !team.agreement().broken());
}

}  // namespace foldlane::engine
