// What the collectives have in common between the announcement of a call and its end.
#pragma once

#include "engine/broadcast.hpp"
#include "engine/collectives.hpp"
#include "engine/fold_gathered.hpp"
#include "engine/fold_whole.hpp"
#include "engine/in_groups.hpp"
#include "engine/plan.hpp"
#include "engine/verdict.hpp"

namespace foldlane::engine {

inline TeamShape shape_of(Team& team) {
  const Geometry& geometry = team.process().geometry();
  return {.ranks = team.size(),
          .slot_bytes = geometry.slot_bytes,
          .llc_bytes = geometry.llc_bytes,
          .shared_cpus = geometry.shared_cpus,
          .hierarchy = team.hierarchy(),
          .has_common_memory = team.process().common().bytes > 0};
}

inline CallInfo info_of(Call call, std::uint64_t count, const Reduction& reduction, int root = 0) {
  return {.call = call,
          .operation = reduction.operation,
          .root = static_cast<std::uint16_t>(root),
          .type = reduction.type,
          .count = count};
}

/// The slots of a call, for as long as it lasts.
class RingLease {
 public:
  explicit RingLease(Team& team) : team_(team), leased_(team.lease_ring()) {
    if (!leased_) team.give_up(Broken::memory);
  }
  RingLease(const RingLease&) = delete;
  RingLease& operator=(const RingLease&) = delete;
  ~RingLease() {
    if (leased_) team_.give_ring_back();
  }
  explicit operator bool() const { return leased_; }

 private:
  Team& team_;
  bool leased_;
};

/// Runs the part of a call after its announcement. What a caller's operation throws passes through, but the
/// peers must not wait for this member any more.
template <class Body>
shm::Result<void> perform(Team& team, const Body& body) {
  try {
    return verdict(team, body());
  } catch (...) {
    team.give_up(Broken::operation);
    throw;
  }
}

template <class Body>
shm::Result<void> perform_with_slots(Team& team, const Body& body) {
  const RingLease lease(team);
  return perform(team, [&] { return lease && body(); });
}

inline shm::Result<void> fold_in_one_line(Team& team, const WholeFold& call) {
  return perform(team, [&] { return run_fold_once<LinePlace>(team, call); });
}

inline shm::Result<void> fold_by_wholes(Team& team, const Plan& plan, const WholeFold& call) {
  return perform_with_slots(team, [&] {
    if (plan.cls == Class::one_shot) return run_fold_once<SlotPlace>(team, call);
    if (plan.cls == Class::gathered) return fold_gathered(team, call, plan.piece_bytes).run();
    const std::size_t chunk_count = plan.piece_bytes / call.reduction->elem_bytes;
    return fold_chunks(team, call, chunk_count, plan.streaming).run();
  });
}

/// As planned for slots. `reads`: whether this member, if it is not the root, wants the data; in groups
/// everybody does.
inline shm::Result<void> perform_broadcast(Team& team, const Plan& chosen, const Message& message, int root,
                                           bool reads) {
  if (chosen.cls == Class::alone) {
    team.record_call();
    return {};
  }
  const Broadcast call{static_cast<std::byte*>(message.buffer),
                       message.layout,
                       message.bytes,
                       root,
                       reads,
                       chosen.piece_bytes,
                       chosen.streaming};
  const bool grouped = chosen.style == Style::grouped;
  if (chosen.cls == Class::inline_line) {
    if (grouped) return verdict(team, broadcast_in_groups(team, chosen, call));
    return verdict(team, run_broadcast_in_line(team, call));
  }
  return perform_with_slots(
      team, [&] { return grouped ? broadcast_in_groups(team, chosen, call) : run_broadcast(team, call); });
}

}  // namespace foldlane::engine
