// Every collective as the steps that its plan says.
#include "engine/collectives/by_plan.hpp"

#include <array>
#include <vector>

#include "engine/algorithms/boxes_turn.hpp"
#include "engine/algorithms/exchange.hpp"
#include "engine/algorithms/fold_central.hpp"
#include "engine/algorithms/fold_direct.hpp"
#include "engine/algorithms/fold_gathered.hpp"
#include "engine/algorithms/fold_halves.hpp"
#include "engine/algorithms/fold_pair.hpp"
#include "engine/algorithms/fold_shares.hpp"
#include "engine/algorithms/fold_whole.hpp"
#include "engine/collectives/between.hpp"
#include "engine/collectives/broadcasts.hpp"
#include "engine/collectives/in_groups.hpp"
#include "engine/collectives/info.hpp"
#include "engine/collectives/move_steps.hpp"
#include "engine/collectives/perform.hpp"
#include "kernels/copy.hpp"

namespace foldlane::engine {
namespace {

Shares shares_of(const Team& team, const Collective& call) {
  if (call.call == Call::reduce_scatter) return Shares::blocks(call.blocks, team.size());
  return Shares::equal(call.count, team.size(), call.reduction->elem_bytes);
}

Deliver deliver_of(Call call) {
  if (call == Call::reduce) return Deliver::to_root;
  return call == Call::reduce_scatter ? Deliver::own_share : Deliver::to_all;
}

/// A team of one: the result is the input.
void copy_alone(Team& team, const Collective& call) {
  team.agreement().record_call();
  const std::uint64_t bytes = call.bytes();
  if (team.size() > 1 || call.call == Call::exscan || call.recv == call.send || bytes == 0) return;
  const TypeMap* const type_map = call.reduction->type_map;
  if (type_map == nullptr) return kernels::copy(call.recv, call.send, bytes);
  std::vector<std::byte> packed(call.reduction->elem_bytes);
  for (std::size_t offset = 0; offset < bytes; offset += packed.size()) {
    type_map->pack(packed.data(), call.send, offset, packed.size());
    type_map->unpack(call.recv, packed.data(), offset, packed.size());
  }
}

/// Operations of the caller's could write to what they are only to read: they see no peer's buffers.
bool may_be_direct(const Plan& plan, const Collective& call) {
  return plan.direct_first && call.reduction->builtin != nullptr;
}

/// Nobody calls operations of the caller's for others.
bool is_central(const Plan& plan, const Collective& call) {
  return plan.style == Style::central && (call.reduction == nullptr || call.reduction->builtin != nullptr);
}

DirectFold direct_of(const Plan& plan, const Collective& call) {
  return {.send = call.send,
          .recv = call.recv,
          .reduction = call.reduction,
          .deliver = deliver_of(call.call),
          .root = call.root,
          .streaming = plan.direct_streaming};
}

/// What of the result a member wants of both inputs.
Piece folded_by(const Collective& call, int member) {
  return call.call == Call::scan && member == 0 ? Piece{0, 0} : wanted_by(call, member);
}

PairFold pair_of(const Team& team, const Plan& plan, const Collective& call) {
  return {.send = call.send,
          .recv = call.recv,
          .mine = folded_by(call, team.rank()),
          .theirs = folded_by(call, 1 - team.rank()),
          .reduction = call.reduction,
          .box_count = plan.piece_bytes / call.reduction->elem_bytes,
          .streaming = plan.streaming,
          .keeps = call.call == Call::scan && team.rank() == 0};
}

HalvesFold halves_of(const Team& team, const Plan& plan, const Collective& call) {
  const Shares halves = shares_of(team, call);
  const bool to_all = call.call == Call::allreduce;
  return {.send = call.send,
          .recv = call.recv,
          .mine = halves.of(team.rank()),
          .theirs = halves.of(1 - team.rank()),
          .recv_start = to_all ? 0 : halves.start(team.rank()),
          .to_all = to_all,
          .reduction = call.reduction,
          .box_count = plan.piece_bytes / call.reduction->elem_bytes};
}

/// Whether two members pass each other something through boxes.
bool is_by_boxes(const Plan& plan) { return plan.style == Style::pair || plan.style == Style::halves; }

/// Operations of the caller's are called for as much at a time as a box holds.
bool is_by_halves(const Plan& plan, const Collective& call) {
  return plan.style == Style::halves && call.reduction->builtin != nullptr &&
         call.reduction->type_map == nullptr;
}

Procedure fold_by_shares(Team& team, const Plan& plan, const Collective& call) {
  const SharesFold fold{.send = call.send,
                        .recv = call.recv,
                        .reduction = call.reduction,
                        .deliver = deliver_of(call.call),
                        .root = call.root,
                        .piece_count = plan.piece_bytes / call.reduction->elem_bytes,
                        .streaming = plan.streaming,
                        .together = plan.together};
  return fold_shares(team, fold, shares_of(team, call));
}

/// With slots at hand.
Procedure fold_through_slots(Team& team, const Plan& plan, const Collective& call) {
  if (plan.style == Style::grouped) return fold_in_groups(team, plan, call);
  if (plan.style == Style::shares) return fold_by_shares(team, plan, call);
  return fold_wholes(team, plan, whole_of(team, call));
}

/// What two members with private buffers do is a part of this frame: two procedures more would cost 0.2 of
/// the 4 us of a call of 64 KiB.
Procedure fold_steps(Team& team, Plan chosen, Collective call) {
  if (chosen.cls == Class::alone) {
    copy_alone(team, call);
    co_return;
  }
  if (chosen.cls == Class::inline_line) {
    if (chosen.style == Style::grouped) {
      co_await fold_in_groups(team, chosen, call);
    } else if (is_central(chosen, call)) {
      co_await as_procedure<CentralFold<Team>>(team, whole_of(team, call));
    } else {
      co_await as_procedure<InlineFold<Team>>(team, whole_of(team, call));
    }
    co_return;
  }
  const RingLease slots(team);
  if (!slots) co_await Surrender();
  if (may_be_direct(chosen, call)) {
    const DirectFold fold = direct_of(chosen, call);
    const DirectOffer own = own_offer(team, fold, call.bytes());
    const std::uint64_t epoch = team.epochs().begin(1);
    SteppedTurns<OfferTurn<Team>> offer(team, epoch, own);
    co_await TurnsWait(offer);
    bool taken = false;
    if (own.accepts()) co_await fold_direct(team, fold, epoch, shares_of(team, call), taken);
    if (taken) team.process().count_direct_call();
    if (taken) co_return;
  }
  if (is_by_boxes(chosen)) {
    if (!team.deliveries().boxes().known()) co_await as_procedure<BoxesTurn<Team>>(team);
    if (team.agreement().broken()) co_await Surrender();
    if (is_by_halves(chosen, call)) {
      const HalvesFold fold = halves_of(team, chosen, call);
      SteppedTurns<HalvesTurns<Team>> turns(team, fold);
      co_await TurnsWait(turns);
      co_return;
    }
    const PairFold fold = pair_of(team, chosen, call);
    SteppedTurns<PairTurns<Team, false>> turns(team, fold);
    co_await TurnsWait(turns);
  } else {
    co_await fold_through_slots(team, chosen, call);
  }
}

/// Whether the whole call is one way through the slots.
bool is_through_slots(const Plan& plan, const Collective& call) {
  const bool needs_slots = plan.cls != Class::alone && plan.cls != Class::inline_line;
  return needs_slots && !is_by_boxes(plan) && !may_be_direct(plan, call);
}

bool run_through_slots(Team& team, const Plan& plan, const Collective& call) {
  const RingLease slots(team);
  if (!slots) return false;
  if (plan.cls != Class::one_shot || plan.style != Style::whole)
    return fold_through_slots(team, plan, call).run();
  const WholeFold fold = whole_of(team, call);
  return run_turns(SlotFold<Team>(team, fold, fold.count, plan.streaming));
}

Procedure barrier_steps(Team& team) {
  if (team.size() == 1) co_return;
  if (team.hierarchy() != nullptr) {
    co_await meet_in_groups(team);
  } else {
    co_await exchange_as_procedure(team);
  }
}

}  // namespace

Procedure fold_wholes(Team& team, const Plan& plan, const WholeFold& fold) {
  if (plan.cls == Class::gathered) return fold_gathered(team, fold, plan.piece_bytes);
  const std::size_t chunk_count = plan.piece_bytes / fold.reduction->elem_bytes;
  return as_procedure<SlotFold<Team>>(team, fold, chunk_count, plan.streaming);
}

Procedure steps_of(Team& team, const Collective& call) {
  if (call.call == Call::barrier) return barrier_steps(team);
  if (call.movement != nullptr) return move_steps(team, call);
  if (call.is_between_groups()) return steps_between(team, call);
  if (call.call != Call::bcast) {
    const Plan chosen = plan_of_fold(team, call);
    if (is_handed_on(team, chosen, call)) return hand_on_steps(team, chosen, call);
    return fold_steps(team, chosen, call);
  }
  const Plan chosen = plan_of_broadcast(team, call);
  if (chosen.cls == Class::messages) return broadcast_by_message(team, call.mail, broadcast_of(call));
  return broadcast_steps(team, chosen, broadcast_of(call));
}

bool run_steps(Team& team, const Collective& call) {
  if (call.movement != nullptr) return run_move(team, call);
  if (call.reduction == nullptr || call.is_between_groups()) return steps_of(team, call).run();
  const Plan chosen = plan_of_fold(team, call);
  if (is_handed_on(team, chosen, call)) return hand_on(team, chosen, call);
  if (is_through_slots(chosen, call)) return run_through_slots(team, chosen, call);
  return fold_steps(team, chosen, call).run();
}

}  // namespace foldlane::engine
