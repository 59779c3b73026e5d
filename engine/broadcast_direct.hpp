// A broadcast whose root has its buffer in common memory: the others copy straight from there. The root alone
// knows whether it is so, and tells them.
#pragma once

#include "engine/broadcast.hpp"
#include "engine/direct_offer.hpp"

namespace foldlane::engine {

/// The root's; the others have nothing to offer.
template <class Team>
DirectOffer own_offer(Team& team, const Broadcast& call) {
  const CommonMemory& common = team.process().common();
  if (team.rank() != call.root || call.layout != nullptr || !common.holds(call.buffer, call.bytes)) return {};
  return {common.offset_of(call.buffer), DirectOffer::kNone};
}

/// `taken` as in fold_direct.
template <class Team>
Procedure broadcast_direct(Team& team, Broadcast call, DirectOffer own, bool& taken) {
  const std::uint64_t epoch = team.begin(1);
  taken = false;
  if (team.rank() == call.root) {
    co_await team.inline_free(epoch);
    show_offer(team, epoch, own);
    if (!own.accepts()) co_return;
    team.finish(epoch);
    co_await team.all_finished(epoch);
  } else {
    co_await team.shown(call.root, epoch);
    const DirectOffer offer = offer_of(team, call.root, epoch);
    if (!offer.accepts()) co_return;
    team.unpack_out(call.buffer, call.layout, 0, team.process().common().at(offer.send), call.bytes,
                    call.streaming);
    team.finish(epoch);
  }
  taken = true;
}

}  // namespace foldlane::engine
