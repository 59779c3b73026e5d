// Plans of calls that only move data.
#include "engine/plans/plan_of_moves.hpp"

#include "engine/moves/neighbour_move.hpp"
#include "engine/moves/shown_blocks.hpp"
#include "engine/plans/plan_of_two.hpp"
#include "engine/plans/plan_parts.hpp"

namespace foldlane::engine {
namespace {

Plan by_messages() { return {Class::messages, Style::whole, 0, 1, false, 1, "a message for each block"}; }

Plan move_through_slots(std::uint64_t shown, bool by_last) {
  return {Class::one_shot,
          by_last ? Style::central : Style::whole,
          static_cast<std::size_t>(shown),
          1,
          false,
          by_last ? 2 : 1,
          by_last ? "ranks share CPUs; whole vectors through slots" : "whole vectors through slots"};
}

/// Only neighbours know how long their blocks are; and of an alltoall it depends on how many there are.
Plan among_neighbours(Call call, std::uint64_t bytes, const TeamShape& team) {
  if (call == Call::neighbor_allgather) {
    const Carrier carrier = carrier_of(bytes, bytes, team.slot_bytes);
    if (carrier == Carrier::line) return in_one_line(call);
    if (carrier == Carrier::slot) return move_through_slots(bytes, false);
  }
  Plan plan = by_messages();
  if (call == Call::neighbor_alltoall)
    plan.why = "a message for each block; of grids beside the epoch or through slots, where they carry all";
  return plan;
}

}  // namespace

Plan plan_of_move(Call call, std::uint64_t bytes, const TeamShape& team) {
  if (team.ranks == 1) return alone("a team of one");
  const bool is_equal = moves_equal_blocks(call);
  if (is_equal && bytes == 0) return alone("nothing to move");
  if (moves_among_neighbours(call)) return among_neighbours(call, bytes, team);
  if (team.ranks == 2) {
    if (is_equal && fits_inline(bytes, team.ranks)) return in_one_line(call);
    return bytes <= kMostInBoxes ? move_of_two(call, bytes, team) : by_messages();
  }
  const bool by_last = !moves_from_or_to_root(call) && meets_centrally(team.ranks, team.shared_cpus);
  const std::uint64_t shown = shown_bytes(call, bytes, team.ranks);
  if (is_equal && team.hierarchy == nullptr) {
    if (fits_inline(shown, team.ranks)) return by_last ? by_the_last(Call::barrier) : in_one_line(call);
    if (fit_slots(bytes, shown, team.slot_bytes)) return move_through_slots(shown, by_last);
  }
  return by_messages();
}

}  // namespace foldlane::engine
