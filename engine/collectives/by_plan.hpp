// Parts of calls, as a plan says.
#pragma once

#include "engine/algorithms/broadcast.hpp"
#include "engine/algorithms/fold_whole.hpp"
#include "engine/collectives/collective.hpp"
#include "engine/plans/plan.hpp"

namespace foldlane::engine {

/// What of the result a member wants.
inline Piece wanted_by(const Collective& call, int member) {
  switch (call.call) {
    case Call::reduce:
      return {0, member == call.root ? call.count : 0};
    case Call::reduce_scatter:
      return {call.blocks.before(member), static_cast<std::size_t>(call.blocks[member])};
    case Call::exscan:
      return {0, member == 0 ? 0 : call.count};
    default:
      return {0, call.count};
  }
}

/// Whose inputs make the result that this member wants.
inline Members sources_of(Call call, const Team& team) {
  if (call == Call::scan) return {0, team.rank() + 1};
  if (call == Call::exscan) return {0, team.rank()};
  return {0, team.size()};
}

/// Whether anybody folds what this member shows: with a type map it does itself.
inline bool is_read(Call call, const Team& team, const Reduction& reduction) {
  const bool is_prefix = call == Call::scan || call == Call::exscan;
  return !is_prefix || team.rank() + 1 < team.size() || reduction.type_map != nullptr;
}

/// A reduction in one team, folded in whole by whoever wants the result.
inline WholeFold whole_of(const Team& team, const Collective& call) {
  const Piece wanted = wanted_by(call, team.rank());
  return {.send = call.send,
          .recv = call.recv,
          .count = call.count,
          .wanted_start = wanted.start,
          .wanted_count = wanted.count,
          .sources = sources_of(call.call, team),
          .reduction = call.reduction,
          .is_read = is_read(call.call, team, *call.reduction)};
}

/// Everybody's whole input through slots, which are at hand.
Procedure fold_wholes(Team& team, const Plan& plan, const WholeFold& fold);

inline Broadcast broadcast_of(const Collective& call) {
  return {.buffer = call.recv,
          .type_map = call.type_map,
          .bytes = call.count,
          .root = call.root,
          .reads = true,
          .chunk_bytes = call.count,
          .streaming = false};
}

}  // namespace foldlane::engine
