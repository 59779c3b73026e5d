// Parts of calls, as a plan says.
#pragma once

#include "engine/algorithms/broadcast.hpp"
#include "engine/algorithms/fold_whole.hpp"
#include "engine/collectives/collective.hpp"
#include "engine/collectives/plan.hpp"

namespace foldlane::engine {

/// A reduction in one team, folded in whole by whoever wants the result.
WholeFold whole_of(const Team& team, const Collective& call);

/// Everybody's whole input through slots, which are at hand.
Procedure fold_wholes(Team& team, const Plan& plan, const WholeFold& fold);

/// Chunks and stores as the plan says.
Procedure broadcast_steps(Team& team, Plan chosen, Broadcast call);

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
