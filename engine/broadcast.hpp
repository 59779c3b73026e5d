// Broadcast: the root shows its data beside the epoch, or sends it through its slots in chunks. The root
// waits for nobody but the readers of a slot it wants back; readers wait for nobody but the root.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "engine/team.hpp"

namespace foldlane::engine {

struct Broadcast {
  std::byte* buffer;
  const Layout* layout;  // null: packed
  std::size_t bytes;     // packed
  int root;
  bool reads;               // whether a member that is not the root wants the data
  std::size_t chunk_bytes;  // at most a slot
  bool streaming;
};

template <class Team>
Procedure broadcast_inline(Team& team, Broadcast call) {
  const std::uint64_t epoch = team.begin(1);
  if (team.rank() == call.root) {
    co_await team.inline_free(epoch);
    team.show(epoch, call.buffer, call.bytes, call.layout);
  } else if (call.reads) {
    co_await team.shown(call.root, epoch);
    team.unpack_out(call.buffer, call.layout, 0, team.payload(call.root, epoch), call.bytes, false);
  }
  team.finish(epoch);
}

inline std::uint64_t chunks_of(const Broadcast& call) {
  return (call.bytes + call.chunk_bytes - 1) / call.chunk_bytes;
}

template <class Team>
Procedure broadcast_chunks(Team& team, Broadcast call) {
  const std::uint64_t chunks = chunks_of(call);
  const std::uint64_t first = team.begin(chunks);
  for (std::uint64_t chunk = 0; chunk < chunks; ++chunk) {
    const std::uint64_t epoch = first + chunk;
    const std::size_t offset = chunk * call.chunk_bytes;
    const std::size_t bytes = std::min(call.chunk_bytes, call.bytes - offset);
    if (team.rank() == call.root) {
      co_await team.slot_free(epoch);
      team.pack_in(team.own_slot(epoch), call.buffer, call.layout, offset, bytes);
      team.publish_filled(epoch);
    } else if (call.reads) {
      co_await team.filled(call.root, epoch);
      team.unpack_out(call.buffer, call.layout, offset, team.slot(call.root, epoch), bytes, call.streaming);
    }
    team.finish(epoch);
  }
}

}  // namespace foldlane::engine
