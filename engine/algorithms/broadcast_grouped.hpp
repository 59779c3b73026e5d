// Broadcast in a team of groups: along a tree in which the leader of each group hands on what it got, so that
// the data crosses a boundary once, nobody's line or slot is read by more than a few, and those few are asked
// before it is written again. The root leads all groups it is in; elsewhere the first member does.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/algorithms/broadcast.hpp"
#include "engine/team/readers.hpp"

namespace foldlane::engine {

/// A member's neighbours in the tree.
struct Relay {
  int source = -1;  // -1: the root
  std::vector<int> readers;
};

inline Relay relay_of(const Hierarchy& groups, int member, int root) {
  const auto leader = [root](const Members& group) {
    return root >= group.first && root < group.end() ? root : group.first;
  };
  Relay relay;
  for (std::size_t at = 0; at < groups.phases(); ++at) {
    const auto& children = groups.phase(at).children;
    const int leads = leader({children.front().first, children.back().end() - children.front().first});
    if (leads != member) {
      relay.source = leads;
      return relay;
    }
    for (const Members& child : children) {
      if (leader(child) != member) relay.readers.push_back(leader(child));
    }
  }
  return relay;
}

template <class Team>
Procedure broadcast_grouped_inline(Team& team, Broadcast call) {
  const std::uint64_t epoch = team.epochs().begin(1);
  const Relay relay = relay_of(*team.hierarchy(), team.rank(), call.root);
  const std::byte* from = call.buffer;
  const TypeMap* type_map = call.type_map;
  if (relay.source >= 0) {
    co_await team.waits().shown(relay.source, epoch);
    from = team.inline_lines().payload(relay.source, epoch, call.bytes);
    Team::Transfer::will_read(from, call.bytes);
    type_map = nullptr;
  }
  if (!relay.readers.empty()) {
    co_await line_unread(team, epoch);
    team.inline_lines().show(epoch, from, call.bytes, type_map);
    team.inline_lines().note_readers(epoch) = relay.readers;
  }
  if (relay.source >= 0) Team::Transfer::unpack_out(call.buffer, call.type_map, 0, from, call.bytes, false);
  team.epochs().finish(epoch);
}

template <class Team>
Procedure broadcast_grouped_chunks(Team& team, Broadcast call) {
  const std::uint64_t chunks = (call.bytes + call.chunk_bytes - 1) / call.chunk_bytes;
  const std::uint64_t first = team.epochs().begin(chunks);
  const Relay relay = relay_of(*team.hierarchy(), team.rank(), call.root);
  for (std::uint64_t chunk = 0; chunk < chunks; ++chunk) {
    const std::uint64_t epoch = first + chunk;
    const std::size_t offset = chunk * call.chunk_bytes;
    const std::size_t bytes = std::min(call.chunk_bytes, call.bytes - offset);
    const std::byte* from = nullptr;
    if (relay.source >= 0) {
      co_await team.waits().filled(relay.source, epoch);
      from = team.slots().of(relay.source, epoch);
      Team::Transfer::will_read(from, bytes);
    }
    if (!relay.readers.empty()) {
      co_await slot_unread(team, epoch);
      if (from == nullptr) {
        team.slots().pack_in(team.slots().own(epoch), call.buffer, call.type_map, offset, bytes);
      } else {
        team.slots().pack_in(team.slots().own(epoch), from, nullptr, 0, bytes);
      }
      team.slots().publish_filled(epoch);
      team.slots().note_readers(epoch) = relay.readers;
    }
    if (from != nullptr)
      Team::Transfer::unpack_out(call.buffer, call.type_map, offset, from, bytes, call.streaming);
    team.epochs().finish(epoch);
  }
}

}  // namespace foldlane::engine
