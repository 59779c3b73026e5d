#include "engine/in_groups.hpp"

#include "engine/broadcast_grouped.hpp"
#include "engine/fold_grouped.hpp"
#include "engine/inline_grouped.hpp"
#include "engine/perform.hpp"

namespace foldlane::engine {

using shm::Result;

Result<void> fold_in_groups(Team& team, const Plan& plan, const WholeFold& fold, int root,
                            const Shares* blocks) {
  if (plan.cls == Class::inline_line) {
    GroupedInline call{fold.send, fold.recv, fold.count, fold.reduction, root, 0, fold.count};
    if (blocks != nullptr) {
      call.wanted_start = blocks->start(team.rank());
      call.wanted_count = blocks->count(team.rank());
    }
    return perform(team, [&] { return fold_inline_grouped(team, call).run(); });
  }
  const GroupedFold call{.send = fold.send,
                         .recv = fold.recv,
                         .count = fold.count,
                         .reduction = fold.reduction,
                         .root = root,
                         .blocks = blocks,
                         .chunk_count = plan.piece_bytes / fold.reduction->elem_bytes,
                         .streaming = plan.streaming};
  return perform_with_slots(team, [&] { return fold_grouped(team, call).run(); });
}

Result<void> meet_in_groups(Team& team) {
  if (team.size() == 1) return {};
  const GroupedInline call{nullptr, nullptr, 0, nullptr, kNobody};
  return verdict(team, fold_inline_grouped(team, call).run());
}

bool broadcast_in_groups(Team& team, const Plan& plan, const Broadcast& call) {
  if (plan.cls == Class::inline_line) return broadcast_grouped_inline(team, call).run();
  return broadcast_grouped_chunks(team, call).run();
}

}  // namespace foldlane::engine
