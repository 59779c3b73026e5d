#include "engine/statistics/routes.hpp"

#include "engine/algorithms/fold_direct.hpp"
#include "engine/collectives/move_steps.hpp"
#include "engine/collectives/perform.hpp"
#include "engine/moves/roles.hpp"

namespace foldlane::engine {
namespace {

Plan plan_of(Team& team, const Collective& call) {
  if (call.movement != nullptr) return plan_of_move(team, call);
  const TeamShape shape = shape_of(team);
  const std::size_t elem_bytes = call.reduction == nullptr ? 1 : call.reduction->elem_bytes;
  if (call.is_between_groups()) return plan_by_wholes(call.bytes(), shape, elem_bytes);
  if (call.call == Call::bcast) return plan_of_broadcast(team, call);
  if (call.reduction != nullptr) return plan_of_fold(team, call);
  return plan(call.call, call.bytes(), shape, elem_bytes);
}

bool is_predefined(const Collective& call) {
  return call.reduction == nullptr || call.reduction->builtin != nullptr;
}

/// Whether it is the data's place alone that decides.
bool may_be_direct(const Team& team, const Collective& call) {
  if (call.movement != nullptr) return !call.movement->replaces;
  if (call.call == Call::bcast) return call.type_map == nullptr || team.rank() != call.root;
  const bool overwrites_input = call.call == Call::reduce_scatter && call.send == call.recv;
  return is_predefined(call) && call.reduction->type_map == nullptr && !overwrites_input;
}

/// Of two members. Where a leaf's block is does not matter.
bool holds_block(const Team& team, const Collective& call) {
  const bool is_root = team.rank() == call.root;
  if (!is_root && moves_from_or_to_root(call.call)) return true;
  const Blocks& blocks = gives_in(call.call, is_root) ? *call.movement->sends : *call.movement->receives;
  const int place = blocks.place_of(1 - team.rank());
  if (place == blocks.count()) return false;
  const UserBuffer block = blocks.at(place).buffer;
  return block.contiguous() && team.process().common().holds(block.address, block.bytes);
}

bool holds_buffers(const Team& team, const Collective& call) {
  if (call.movement != nullptr) return holds_block(team, call);
  const CommonMemory& common = team.process().common();
  const std::uint64_t bytes = call.bytes();
  if (call.call == Call::bcast) return team.rank() != call.root || common.holds(call.recv, bytes);
  const bool receives =
      call.call == Call::allreduce || (call.call == Call::reduce && team.rank() == call.root);
  return common.holds(call.send, bytes) && (!receives || common.holds(call.recv, bytes));
}

}  // namespace

std::string_view name(Route route) noexcept {
  constexpr std::string_view kNames[kRoutes] = {"alone",
                                                "inline",
                                                "inline by the last to arrive",
                                                "one-shot",
                                                "two-shot",
                                                "pipelined",
                                                "gathered",
                                                "boxes",
                                                "in groups",
                                                "direct",
                                                "direct if all offered it",
                                                "by messages"};
  return kNames[static_cast<std::size_t>(route)];
}

Route route_of(const Plan& plan, bool is_predefined) noexcept {
  if (plan.style == Style::grouped) return Route::grouped;
  if (plan.style == Style::pair || plan.style == Style::halves) return Route::boxes;
  if (plan.style == Style::central && is_predefined) return Route::central;
  switch (plan.cls) {
    case Class::alone:
      return Route::alone;
    case Class::inline_line:
      return Route::inline_line;
    case Class::one_shot:
      return Route::one_shot;
    case Class::two_shot:
      return Route::two_shot;
    case Class::pipelined:
      return Route::pipelined;
    case Class::messages:
      return Route::messages;
    case Class::gathered:
      break;
  }
  return Route::gathered;
}

bool Outlooks::is_same(const Collective& call) const noexcept {
  return is_known_ && call.movement == nullptr && call.call == call_ && call.bytes() == bytes_ &&
         call.reduction == reduction_ && !call.is_between_groups();
}

Outlook Outlooks::of(Team& team, const Collective& call) {
  if (!is_same(call)) {
    plan_ = plan_of(team, call);
    call_ = call.call;
    bytes_ = call.bytes();
    reduction_ = call.reduction;
    // What the program's operations are described by lies on its stack.
    is_known_ = is_predefined(call) && !call.is_between_groups();
  }
  const bool direct = plan_.direct_first && may_be_direct(team, call);
  return {route_of(plan_, is_predefined(call)), direct, direct && holds_buffers(team, call)};
}

}  // namespace foldlane::engine
