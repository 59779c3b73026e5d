// A broadcast whose root may have its buffer in common memory: the others then copy straight from there. The
// root alone knows; the mark of the first chunk brings it to the others with the place of the data, so that
// asking costs nothing.
#pragma once

#include "engine/algorithms/broadcast.hpp"

namespace foldlane::engine {

/// If it is not `taken`, SlotBroadcast goes on, with the same epochs.
template <class Team>
Procedure broadcast_direct(Team& team, Broadcast call, bool& taken) {
  const CommonMemory& common = team.process().common();
  const std::uint64_t first = team.epochs().next_epoch();
  const std::uint64_t last = first + chunks_of(call) - 1;
  taken = false;
  if (team.rank() == call.root) {
    if (call.type_map != nullptr || !common.holds(call.buffer, call.bytes)) co_return;
    co_await team.waits().slot_free(first);
    team.slots().publish_elsewhere(first, common.offset_of(call.buffer));
  } else {
    co_await team.waits().filled(call.root, first);
    const std::byte* const data = team.slots().elsewhere(call.root, first);
    if (data == nullptr) co_return;
    Team::Transfer::unpack_out(call.buffer, call.type_map, 0, data, call.bytes, call.streaming);
  }
  team.epochs().begin(chunks_of(call));
  team.epochs().finish(last);
  // The buffer is the caller's again when nobody reads it any more.
  if (team.rank() == call.root) co_await team.waits().all_finished(last);
  taken = true;
}

}  // namespace foldlane::engine
