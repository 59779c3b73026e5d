#include "engine/collectives/broadcasts.hpp"

#include "engine/algorithms/boxes_turn.hpp"
#include "engine/algorithms/broadcast_direct.hpp"
#include "engine/collectives/in_groups.hpp"
#include "engine/collectives/perform.hpp"
#include "engine/moves/by_messages.hpp"
#include "engine/moves/pair/of_two.hpp"
#include "engine/plans/plan_of_two.hpp"

namespace foldlane::engine {
namespace {

/// What one of two members passes the other, and is more than a piece: the other one may want to pull it.
bool is_passed_in_boxes(const Team& team, const Broadcast& call) {
  return team.size() == 2 && may_be_pulled(Passed::copied, call.bytes);
}

/// `may_be_direct`: straight from the root's buffer, if that lies in common memory.
Procedure pass_in_boxes(Team& team, Broadcast call, bool may_be_direct) {
  if (!team.deliveries().boxes().known()) co_await as_procedure<BoxesTurn<Team>>(team);
  if (team.agreement().broken()) co_await Surrender();
  const bool is_root = team.rank() == call.root;
  PairMove move{};
  move.gives = is_root;
  move.takes = !is_root;
  move.most_in_line = most_in_line(false);
  move.most_in_boxes = call.bytes;
  move.chunk_bytes = call.chunk_bytes;
  (is_root ? move.out : move.in) = {call.buffer, call.bytes, call.type_map};
  const CommonMemory& common = team.process().common();
  if (may_be_direct && is_root && call.type_map == nullptr && common.holds(call.buffer, call.bytes))
    move.out_in_common = common.offset_of(call.buffer);
  SteppedTurns<PairMoveTurns<Team>> turns(team, move);
  co_await TurnsWait(turns);
  if (team.agreement().broken()) co_await Surrender();  // what was to be pulled could not be
  if (turns.turns().is_direct()) team.process().count_direct_call();
}

Broadcast handed_on(const Team& team, const Plan& plan, const Collective& call) {
  return {.buffer = team.rank() == 0 ? const_cast<std::byte*>(call.send) : call.recv,  // only read
          .type_map = call.reduction->type_map,
          .bytes = call.bytes(),
          .root = 0,
          .reads = true,
          .chunk_bytes = plan.piece_bytes,
          .streaming = plan.streaming};
}

}  // namespace

Procedure broadcast_by_message(Team& team, Mail mail, Broadcast call) {
  const OneBlock whole({1 - team.rank(), {call.buffer, call.bytes, call.type_map}});
  const NoBlocks none;
  Movement movement{.mail = mail, .sends = &none, .receives = &none};
  (team.rank() == call.root ? movement.sends : movement.receives) = &whole;
  co_await move_by_messages(team, movement);
}

Procedure broadcast_steps(Team& team, Plan chosen, Broadcast call) {
  if (chosen.cls == Class::alone) {
    team.agreement().record_call();
    co_return;
  }
  const bool grouped = chosen.style == Style::grouped;
  if (chosen.cls == Class::inline_line) {
    if (grouped) {
      co_await broadcast_in_groups(team, chosen, call);
    } else {
      co_await as_procedure<InlineBroadcast<Team>>(team, call);
    }
    co_return;
  }
  call.chunk_bytes = chosen.piece_bytes;
  if (is_passed_in_boxes(team, call)) {
    co_await pass_in_boxes(team, call, chosen.direct_first);
    co_return;
  }
  const RingLease slots(team);
  if (!slots) co_await Surrender();
  if (chosen.direct_first) {
    bool taken = false;
    call.streaming = chosen.direct_streaming;
    co_await broadcast_direct(team, call, taken);
    if (taken) team.process().count_direct_call();
    if (taken) co_return;
  }
  call.streaming = chosen.streaming;
  if (grouped) {
    co_await broadcast_in_groups(team, chosen, call);
  } else {
    co_await as_procedure<SlotBroadcast<Team>>(team, call);
  }
}

bool is_handed_on(const Team& team, const Plan& plan, const Collective& call) {
  if (call.call != Call::exscan || team.size() != 2 || call.reduction->has_padding) return false;
  return plan.cls == Class::one_shot || plan.cls == Class::pipelined || plan.cls == Class::messages;
}

Procedure hand_on_steps(Team& team, const Plan& plan, const Collective& call) {
  const Broadcast broadcast = handed_on(team, plan, call);
  if (plan.cls == Class::messages) return broadcast_by_message(team, call.mail, broadcast);
  return broadcast_steps(team, plan, broadcast);
}

bool hand_on(Team& team, const Plan& plan, const Collective& call) {
  const Broadcast broadcast = handed_on(team, plan, call);
  if (plan.cls == Class::messages) return broadcast_by_message(team, call.mail, broadcast).run();
  if (is_passed_in_boxes(team, broadcast)) return pass_in_boxes(team, broadcast, false).run();
  const RingLease slots(team);
  return slots && run_turns(SlotBroadcast<Team>(team, broadcast));
}

}  // namespace foldlane::engine
