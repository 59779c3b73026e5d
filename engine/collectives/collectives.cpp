// The blocking collectives that are not worth a short path.
#include "engine/collectives/collectives.hpp"

#include <cstring>

#include "engine/algorithms/exchange.hpp"
#include "engine/collectives/info.hpp"
#include "engine/collectives/perform.hpp"

namespace foldlane::engine {

using shm::Result;

Result<void> perform(Team& team, const Collective& call) {
  if (!team.enter(info_of(call, team))) [[unlikely]]
    return failure_of(team);
  return run(team, call);
}

Result<void> exchange_bytes(Team& team, const CallInfo& as, const void* own, std::size_t bytes, void* all) {
  if (!team.enter(as)) [[unlikely]]
    return failure_of(team);
  if (team.size() == 1) {  // has no lines
    std::memcpy(all, own, bytes);
    return {};
  }
  return verdict(team, exchange_as_procedure(team, static_cast<const std::byte*>(own), bytes,
                                             static_cast<std::byte*>(all))
                           .run());
}

Result<void> allreduce_between(Team& team, const Sides& sides, const void* send, void* recv,
                               std::size_t count, const Reduction& reduction) {
  Collective call = fold_call(Call::allreduce, send, recv, count, reduction);
  call.sides = sides;
  return perform(team, call);
}

Result<void> reduce_scatter_between(Team& team, const Sides& sides, const void* send, void* recv,
                                    const BlockCounts& counts, const Reduction& reduction) {
  Collective call = fold_call(Call::reduce_scatter, send, recv, counts.before(sides.local.count), reduction);
  call.blocks = counts;
  call.sides = sides;
  return perform(team, call);
}

Result<void> reduce_between(Team& team, const Sides& sides, const Part& part, const void* send, void* recv,
                            std::size_t count, const Reduction& reduction) {
  Collective call = fold_call(Call::reduce, send, recv, count, reduction);
  call.sides = sides;
  call.part = part;
  return perform(team, call);
}

Result<void> bcast_between(Team& team, const Sides& sides, const Part& part, const Message& message) {
  return perform(team, {.call = Call::bcast,
                        .recv = static_cast<std::byte*>(message.buffer),
                        .count = message.bytes,
                        .type_map = message.type_map,
                        .type = message.type,
                        .sides = sides,
                        .part = part});
}

}  // namespace foldlane::engine
