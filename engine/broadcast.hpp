// Broadcast: the root shows its data beside the epoch, or sends it through its slots in chunks. The root
// waits for nobody but the readers of a slot it wants back; readers wait for nobody but the root. Where one
// member alone reads, it hands the slots back as members hand back boxes (engine/pair_boxes.hpp): that is
// what makes plain stores into them cheap.
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
    team.unpack_out(call.buffer, call.layout, 0, team.payload(call.root, epoch, call.bytes), call.bytes,
                    false);
  }
  team.finish(epoch);
}

/// broadcast_inline(…).run() without a coroutine.
template <class Team>
bool run_broadcast_in_line(Team& team, const Broadcast& call) {
  const std::uint64_t epoch = team.begin(1);
  if (team.rank() == call.root) {
    if (!team.wait_until_inline_free(epoch)) return false;
    team.show(epoch, call.buffer, call.bytes, call.layout);
  } else if (call.reads) {
    if (!team.wait_until_shown(call.root, epoch)) return false;
    team.unpack_out(call.buffer, call.layout, 0, team.payload(call.root, epoch, call.bytes), call.bytes,
                    false);
  }
  team.finish(epoch);
  return true;
}

inline std::uint64_t chunks_of(const Broadcast& call) {
  return (call.bytes + call.chunk_bytes - 1) / call.chunk_bytes;
}

/// One reader alone: see above.
template <class Team>
bool slots_come_back(const Team& team) {
  return team.size() == 2;
}

template <class Team>
void fill_slot(Team& team, const Broadcast& call, std::uint64_t epoch, std::size_t offset,
               std::size_t bytes) {
  std::byte* const slot = team.own_slot(epoch);
  if (slots_come_back(team)) {
    team.put_in(slot, call.buffer, call.layout, offset, bytes);
  } else {
    team.pack_in(slot, call.buffer, call.layout, offset, bytes);
  }
  team.publish_filled(epoch);
  if (slots_come_back(team) && bytes <= Team::kFetchedBytes)
    kernels::prefetch(team.own_slot(epoch + 1), bytes);
}

template <class Team>
void empty_slot(Team& team, const Broadcast& call, std::uint64_t epoch, std::size_t offset,
                std::size_t bytes) {
  std::byte* const slot = team.slot(call.root, epoch);
  team.unpack_out(call.buffer, call.layout, offset, slot, bytes, call.streaming);
  if (slots_come_back(team)) team.hand_back(slot, bytes);
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
      fill_slot(team, call, epoch, offset, bytes);
    } else if (call.reads) {
      co_await team.filled(call.root, epoch);
      empty_slot(team, call, epoch, offset, bytes);
    }
    team.finish(epoch);
  }
}

/// broadcast_chunks(…).run() of one chunk, without a coroutine.
template <class Team>
bool run_broadcast_once(Team& team, const Broadcast& call) {
  const std::uint64_t epoch = team.begin(1);
  if (team.rank() == call.root) {
    if (!team.wait_until_slot_free(epoch)) return false;
    fill_slot(team, call, epoch, 0, call.bytes);
  } else if (call.reads) {
    if (!team.wait_until_filled(call.root, epoch)) return false;
    empty_slot(team, call, epoch, 0, call.bytes);
  }
  team.finish(epoch);
  return true;
}

template <class Team>
bool run_broadcast(Team& team, const Broadcast& call) {
  return chunks_of(call) == 1 ? run_broadcast_once(team, call) : broadcast_chunks(team, call).run();
}

}  // namespace foldlane::engine
