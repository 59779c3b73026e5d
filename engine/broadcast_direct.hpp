// A broadcast whose root has its buffer in common memory: the others copy straight from there. The root alone
// knows whether it is so, and tells them.
#pragma once

#include "engine/broadcast.hpp"
#include "engine/direct_offer.hpp"

namespace foldlane::engine {

/// `taken` as in fold_direct.
template <class Team>
Procedure broadcast_direct(Team& team, Broadcast call, bool& taken) {
  const std::uint64_t epoch = team.begin(1);
  const CommonMemory& common = team.process().common();
  DirectOffer offer;
  taken = false;
  if (team.rank() == call.root) {
    if (call.layout == nullptr && common.holds(call.buffer, call.bytes)) {
      offer.send = common.offset_of(call.buffer);
    }
    co_await team.inline_free(epoch);
    show_offer(team, epoch, offer);
    if (!offer.accepts()) co_return;
    team.finish(epoch);
    co_await team.all_finished(epoch);
  } else {
    co_await team.shown(call.root, epoch);
    offer = offer_of(team, call.root, epoch);
    if (!offer.accepts()) co_return;
    team.unpack_out(call.buffer, call.layout, 0, common.at(offer.send), call.bytes, call.streaming);
    team.finish(epoch);
  }
  taken = true;
}

}  // namespace foldlane::engine
