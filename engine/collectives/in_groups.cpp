#include "engine/collectives/in_groups.hpp"

#include "engine/algorithms/broadcast_grouped.hpp"
#include "engine/algorithms/fold_grouped.hpp"
#include "engine/algorithms/inline_grouped.hpp"

namespace foldlane::engine {
namespace {

Procedure fold_inline(Team& team, const Collective& call) {
  GroupedInline fold{call.send, call.recv, call.count, call.reduction, kNobody, 0, call.count};
  if (call.call == Call::reduce) fold.root = call.root;
  if (call.call == Call::reduce_scatter) {
    fold.wanted_start = call.blocks.before(team.rank());
    fold.wanted_count = static_cast<std::size_t>(call.blocks[team.rank()]);
  }
  return fold_inline_grouped(team, fold);
}

Procedure fold_through_slots(Team& team, Plan plan, Collective call) {
  const bool scatters = call.call == Call::reduce_scatter;
  const Shares blocks = Shares::blocks(scatters ? call.blocks : BlockCounts::equal(0), team.size());
  co_await fold_grouped(team, {.send = call.send,
                               .recv = call.recv,
                               .count = call.count,
                               .reduction = call.reduction,
                               .root = call.call == Call::reduce ? call.root : kNobody,
                               .blocks = scatters ? &blocks : nullptr,
                               .chunk_count = plan.piece_bytes / call.reduction->elem_bytes,
                               .streaming = plan.streaming});
}

}  // namespace

Procedure fold_in_groups(Team& team, const Plan& plan, const Collective& call) {
  if (plan.cls == Class::inline_line) return fold_inline(team, call);
  return fold_through_slots(team, plan, call);
}

Procedure meet_in_groups(Team& team) {
  return fold_inline_grouped(team, {nullptr, nullptr, 0, nullptr, kNobody});
}

Procedure broadcast_in_groups(Team& team, const Plan& plan, const Broadcast& call) {
  if (plan.cls == Class::inline_line) return broadcast_grouped_inline(team, call);
  return broadcast_grouped_chunks(team, call);
}

}  // namespace foldlane::engine
