// What the collectives have in common between the announcement of a call and its end.
#pragma once

#include <utility>

#include "engine/collectives/collective.hpp"
#include "engine/collectives/verdict.hpp"
#include "engine/plans/plan.hpp"
#include "engine/progress/procedure.hpp"
#include "shm/base/result.hpp"

namespace foldlane::engine {

inline TeamShape shape_of(Team& team, const Mail& mail = {}) {
  const Geometry& geometry = team.process().geometry();
  return {.ranks = team.size(),
          .slot_bytes = geometry.slot_bytes,
          .llc_bytes = geometry.llc_bytes,
          .shared_cpus = geometry.shared_cpus,
          .hierarchy = team.hierarchy(),
          .has_common_memory = team.process().common().bytes > 0,
          .has_mail = mail.channel != nullptr};
}

inline Plan plan_of_broadcast(Team& team, const Collective& call) {
  return plan(Call::bcast, call.count, shape_of(team, call.mail));
}

inline Plan plan_of_fold(Team& team, const Collective& call) {
  // What has padding is folded, which clears it; messages would bring the sender's.
  const Mail mail = call.reduction->has_padding ? Mail{} : call.mail;
  return plan(call.call, call.bytes(), shape_of(team, mail), call.reduction->elem_bytes,
              call.reduction->value_bytes());
}

/// The slots of a call, for as long as it lasts.
class RingLease {
 public:
  explicit RingLease(Team& team) : process_(team.process()) {
    if (process_.progress().is_undisturbed()) {
      team.slots().use_first_ring();
      return;
    }
    leased_ = team.slots().lease();
    failed_ = leased_ == nullptr;
    if (failed_) team.agreement().give_up(Broken::memory);
  }
  RingLease(const RingLease&) = delete;
  RingLease& operator=(const RingLease&) = delete;
  ~RingLease() {
    if (leased_ != nullptr) process_.give_back(*leased_);
  }
  explicit operator bool() const { return !failed_; }

 private:
  Process& process_;
  Team::Slots::Ring* leased_ = nullptr;
  bool failed_ = false;
};

/// Runs the part of a call after its announcement. What a caller's operation throws passes through, but the
/// peers must not wait for this member any more.
template <class Body>
[[gnu::always_inline]] inline shm::Result<void> perform(Team& team, const Body& body) {
  try {
    return verdict(team, body());
  } catch (...) {
    team.agreement().give_up(Broken::operation);
    throw;
  }
}

inline shm::Result<void> run(Team& team, const Collective& call) {
  return perform(team, [&] { return run_steps(team, call); });
}

}  // namespace foldlane::engine
