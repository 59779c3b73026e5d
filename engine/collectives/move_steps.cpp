#include "engine/collectives/move_steps.hpp"

#include <algorithm>
#include <functional>

#include "engine/collectives/info.hpp"
#include "engine/collectives/list_steps.hpp"
#include "engine/collectives/neighbours/neighbour_steps.hpp"
#include "engine/collectives/pair_arguments.hpp"
#include "engine/collectives/perform.hpp"
#include "engine/moves/by_messages.hpp"
#include "engine/moves/grouped_move.hpp"
#include "engine/moves/shown_move.hpp"
#include "engine/plans/plan.hpp"
#include "engine/plans/plan_of_moves.hpp"
#include "engine/plans/plan_of_two.hpp"

namespace foldlane::engine {

using shm::Result;

namespace {

/// Of more than two members: a line, or a table in its slot, tells where a member's blocks are.
bool is_by_lists(const Plan& plan) { return plan.cls == Class::one_shot && plan.piece_bytes == 0; }

/// Groups know nothing of each other's blocks. Lists in place are exchanged partner by partner: what one of
/// them has room for in its slot the other may not have.
bool is_by_messages(const Team& team, const Plan& plan, const Collective& call) {
  const bool is_list_in_place = call.movement->replaces && is_by_lists(plan) && team.size() > 2;
  const bool goes_by_messages = plan.cls == Class::messages && !plan.direct_first;
  return goes_by_messages || plan.cls == Class::alone || call.is_between_groups() || is_list_in_place;
}

/// `rest` is what else the turns want.
template <class Turns, class... Rest>
Procedure move_through_slots(Team& team, const Collective& call, Rest... rest) {
  const RingLease slots(team);
  if (!slots) co_await Surrender();
  SteppedTurns<Turns> turns(team, call.call, call.root, *call.movement, rest...);
  co_await TurnsWait(turns);
}

template <class Turns, class... Rest>
bool run_through_slots(Team& team, const Collective& call, Rest... rest) {
  const RingLease slots(team);
  return slots && run_turns(Turns(team, call.call, call.root, *call.movement, rest...));
}

Arm stores_of(const Plan& plan) { return streaming_if(plan.streaming); }

template <std::uint64_t kAhead>
Procedure move_in_chunks(Team& team, const Collective& call, const Plan& plan) {
  return move_through_slots<ChunkedMove<Team, kAhead>>(team, call, std::cref(team.process().common()),
                                                       plan.piece_bytes, stores_of(plan));
}

template <std::uint64_t kAhead>
bool run_in_chunks(Team& team, const Collective& call, const Plan& plan) {
  return run_through_slots<ChunkedMove<Team, kAhead>>(team, call, std::cref(team.process().common()),
                                                      plan.piece_bytes, stores_of(plan));
}

template <class Turns>
Procedure move_in_lines(Team& team, const Collective& call) {
  return as_procedure<Turns>(team, call.call, call.root, std::cref(*call.movement));
}

Procedure collective_in_groups(Team& team, const Collective& call) {
  const RingLease slots(team);
  if (!slots) co_await Surrender();
  co_await move_in_groups(team, call.call, call.root, *call.movement);
}

/// Long blocks of one size, too: what plan() says, too.
bool gathers_lists(const Team& team, const Collective& call) {
  if (team.size() <= 2 || call.is_between_groups()) return false;
  const std::uint64_t bytes = call.movement->block_bytes;
  return call.call == Call::gatherv ||
         (call.call == Call::gather &&
          !fit_slots(Call::gather, bytes, bytes, team.process().geometry().slot_bytes));
}

}  // namespace

Plan plan_of_move(Team& team, const Collective& call) {
  if (moves_among_neighbours(call.call) && goes_among_neighbours(team, call))
    return plan_among_neighbours(team, call);
  const std::uint64_t bytes = call.movement->block_bytes;
  const bool is_in_place = call.call == Call::alltoall && call.movement->replaces && team.size() > 2;
  return is_in_place ? plan_of_alltoall_in_place(bytes, shape_of(team))
                     : plan_of_move(call.call, bytes, shape_of(team));
}

Procedure move_steps(Team& team, const Collective& call) {
  if (goes_among_neighbours(team, call)) return move_among_neighbours(team, call);
  if (gathers_lists(team, call)) return gather_lists(team, call);
  const Plan chosen = plan_of_move(team, call);
  if (is_by_messages(team, chosen, call)) return move_by_messages(team, *call.movement);
  if (team.size() == 2)
    return move_of_two(team, call.call, call.root, *call.movement, chosen.piece_bytes, kMostInBoxes);
  if (chosen.style == Style::grouped) return collective_in_groups(team, call);
  const bool is_central = chosen.style == Style::central;
  if (is_by_lists(chosen)) return move_by_lists(team, call, is_central);
  if (chosen.cls == Class::pipelined)
    return chosen.together > 1 ? move_in_chunks<kSlots - 1>(team, call, chosen)
                               : move_in_chunks<1>(team, call, chosen);
  if (chosen.cls == Class::one_shot)
    return is_central ? move_through_slots<CentralSlotMove<Team>>(team, call)
                      : move_through_slots<SlotMove<Team>>(team, call);
  return is_central ? move_in_lines<CentralMove<Team>>(team, call)
                    : move_in_lines<InlineMove<Team>>(team, call);
}

bool run_move(Team& team, const Collective& call) {
  if (is_short_move(team, call))
    return run_turns(InlineMove<Team>(team, call.call, call.root, *call.movement));
  if (goes_among_neighbours(team, call)) return run_among_neighbours(team, call);
  if (gathers_lists(team, call)) return run_gather_of_lists(team, call);
  const Plan chosen = plan_of_move(team, call);
  if (is_by_messages(team, chosen, call)) return move_by_messages(team, *call.movement).run();
  const bool is_central = chosen.style == Style::central;
  if (team.size() == 2)
    return run_of_two(team, call.call, call.root, *call.movement, chosen.piece_bytes, kMostInBoxes);
  if (chosen.style == Style::grouped) return collective_in_groups(team, call).run();
  if (is_by_lists(chosen)) return run_by_lists(team, call, is_central);
  if (chosen.cls == Class::pipelined)
    return chosen.together > 1 ? run_in_chunks<kSlots - 1>(team, call, chosen)
                               : run_in_chunks<1>(team, call, chosen);
  if (chosen.cls == Class::one_shot)
    return is_central ? run_through_slots<CentralSlotMove<Team>>(team, call)
                      : run_through_slots<SlotMove<Team>>(team, call);
  return run_turns(CentralMove<Team>(team, call.call, call.root, *call.movement));
}

bool limit_boxes(Team& team, Call call, std::uint64_t block_bytes, PairMove& move) {
  move.most_in_boxes = kMostInBoxes;
  // Without a plan: both cut alike all the same, because no plan has shorter pieces.
  move.chunk_bytes = std::min<std::size_t>(kLeastPiece, team.process().geometry().slot_bytes);
  if (move.exchanges_long() || (move.uses_boxes() && !move.is_in_one_box_each()))
    move.chunk_bytes = plan(call, block_bytes, shape_of(team)).piece_bytes;
  const bool may_go_long_way = move.exchanges_long() || team.process().common().bytes > 0;
  return goes_long_way(move) ? may_go_long_way : is_plain(team, move);
}

Result<void> move_at_once(Team& team, const PairArguments& call) {
  if (!team.enter(call.info())) [[unlikely]]
    return failure_of(team);
  return verdict(team, run_plain(team, call.move()));
}

Result<void> move_long_at_once(Team& team, const PairArguments& call, const Mail& mail) {
  if (!team.enter(call.info())) [[unlikely]]
    return failure_of(team);
  return perform(team, [&] { return run_long(team, mail, call.move(), false); });
}

}  // namespace foldlane::engine
