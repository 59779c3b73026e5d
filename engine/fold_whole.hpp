// Small reductions: every member shows its whole input; whoever wants a part of the result folds it by
// itself. One hop. The input travels beside the epoch (fold_inline) or in a slot (fold_one_shot).
#pragma once

#include <cstddef>
#include <cstring>

#include "engine/reduction.hpp"
#include "engine/team.hpp"
#include "kernels/copy.hpp"

namespace foldlane::engine {

struct WholeFold {
  const std::byte* send;
  std::byte* recv;
  std::size_t count;         // elements of the whole input
  std::size_t wanted_start;  // the part of the result this member wants; none: a leaf, which leaves early
  std::size_t wanted_count;
  const Reduction* reduction;
};

/// recv = fold of the wanted part, its inputs found at places(member). recv is no one's place.
template <class Team, class Places>
void fold_wanted(Team& team, const WholeFold& call, const Places& place_of) {
  const void** sources = team.sources();
  const std::size_t offset = call.wanted_start * call.reduction->elem_bytes;
  const std::size_t bytes = call.wanted_count * call.reduction->elem_bytes;
  for (int member = 0; member < team.size(); ++member) {
    sources[member] = place_of(member) + offset;
    team.will_read(sources[member], bytes);
  }
  call.reduction->fold(call.recv, sources, static_cast<std::size_t>(team.size()), call.wanted_count);
}

template <class Team>
Procedure fold_inline(Team& team, WholeFold call) {
  const std::uint64_t epoch = team.begin(1);
  co_await team.inline_free(epoch);
  team.show(epoch, call.send, call.count * call.reduction->elem_bytes);
  if (call.wanted_count > 0) {
    // A member shows `epoch` only after its previous calls: it has finished epoch - 1.
    co_await team.all_shown(epoch, epoch - 1);
    fold_wanted(team, call, [&](int member) { return team.payload(member, epoch); });
  }
  team.finish(epoch);
}

template <class Team>
Procedure fold_one_shot(Team& team, WholeFold call) {
  const std::uint64_t epoch = team.begin(1);
  co_await team.slot_free(epoch);
  team.copy_in(team.own_slot(epoch), call.send, call.count * call.reduction->elem_bytes);
  team.publish_filled(epoch);
  if (call.wanted_count > 0) {
    co_await team.all_filled(epoch, epoch - 1);
    fold_wanted(team, call, [&](int member) { return team.slot(member, epoch); });
  }
  team.finish(epoch);
}

/// A barrier is an inline fold of nothing that everybody waits for.
template <class Team>
Procedure meet(Team& team) {
  const std::uint64_t epoch = team.begin(1);
  co_await team.inline_free(epoch);
  team.show(epoch, nullptr, 0);
  co_await team.all_shown(epoch, epoch - 1);
  team.finish(epoch);
}

}  // namespace foldlane::engine
