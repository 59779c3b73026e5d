// The blocking collectives of a team. Collective: every member calls the same function with matching
// arguments, in the same order. Counts are elements, 64 bits. `send == recv` means in place. Buffers have any
// alignment.
//
// Every call returns when the caller's part is done (leaves may leave early), or with an error:
//   peer_failed  a rank of the job has died (within a second, where the launcher sees it)
//   disagreement the members' calls do not match, or one of them gave up; Team::trouble() names both sides
// After either the team is unusable, and further calls return the same error. An exception thrown by a
// caller's operation passes through; the other members get `disagreement`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "engine/collectives/collective.hpp"
#include "engine/data/block_counts.hpp"
#include "engine/data/reduction.hpp"
#include "engine/moves/mail.hpp"
#include "engine/plans/plan_of_two.hpp"
#include "engine/team/team.hpp"
#include "shm/base/result.hpp"

namespace foldlane::engine {

/// Any call, by the steps of its plan.
shm::Result<void> perform(Team& team, const Collective& call);

/// Returns when everybody has called it. `as`: what it is announced as; `root`: what else members must agree
/// on.
shm::Result<void> barrier(Team& team, Call as = Call::barrier, int root = 0);

/// A caller's buffer as a sequence of packed bytes.
struct Message {
  void* buffer;
  std::size_t bytes;                  // packed
  const TypeMap* type_map = nullptr;  // null: the buffer is packed
  std::uint16_t type = 0;             // what members must agree on besides the number of bytes
  Mail mail{};                        // all members have some, or none does
};
/// Whether a broadcast or an exclusive prefix of so many bytes is to have mail, which its plan may want.
inline bool may_go_by_message(const Team& team, std::size_t bytes) {
  return team.size() == 2 && bytes > kMostNotByMessage;
}
shm::Result<void> bcast(Team& team, const Message& message, int root, Call as = Call::bcast);

shm::Result<void> allreduce(Team& team, const void* send, void* recv, std::size_t count,
                            const Reduction& reduction);

/// recv is read and written at the root only (null elsewhere).
shm::Result<void> reduce(Team& team, const void* send, void* recv, std::size_t count,
                         const Reduction& reduction, int root);

/// The sum of all counts is reduced; member r receives block r. In place, the input is in recv and the block
/// ends up at its top.
shm::Result<void> reduce_scatter(Team& team, const void* send, void* recv, const BlockCounts& counts,
                                 const Reduction& reduction);

/// Member r receives the fold of the inputs of members 0 to r (inclusive), in the canonical order of r + 1
/// members; or of 0 to r - 1 (exclusive), and member 0 nothing. `mail`: of an exclusive prefix, as a
/// Message's.
enum class Prefix : std::uint8_t { inclusive, exclusive };
shm::Result<void> scan(Team& team, const void* send, void* recv, std::size_t count,
                       const Reduction& reduction, Prefix prefix, const Mail& mail = {});

/// Every member shows at most kInlineBytes (`bytes` is the same on all) and gets what all showed, one after
/// the other in `all`.
shm::Result<void> exchange_bytes(Team& team, const CallInfo& as, const void* own, std::size_t bytes,
                                 void* all);

/// What all members showed, by member.
template <class Shown>
shm::Result<std::vector<Shown>> exchange(Team& team, const CallInfo& as, const Shown& own) {
  // What is longer would be written over the mark behind it, and peers would take that for a mark.
  static_assert(std::is_trivially_copyable_v<Shown> && sizeof own <= Team::kInlineBytes);
  std::vector<Shown> all(static_cast<std::size_t>(team.size()));
  if (auto known = exchange_bytes(team, as, &own, sizeof own, all.data()); !known.ok()) return known.error();
  return all;
}
template <class Shown>
shm::Result<std::vector<Shown>> exchange(Team& team, Call as, const Shown& own) {
  return exchange(team, CallInfo{.call = as}, own);
}

// ---- between two groups: the team is that of both

/// Each group receives the fold of the other group's inputs.
shm::Result<void> allreduce_between(Team& team, const Sides& sides, const void* send, void* recv,
                                    std::size_t count, const Reduction& reduction);

/// The fold of the other group's inputs, of which member r of this one receives block r of `counts`.
shm::Result<void> reduce_scatter_between(Team& team, const Sides& sides, const void* send, void* recv,
                                         const BlockCounts& counts, const Reduction& reduction);

/// The root receives the fold of the partners' inputs.
shm::Result<void> reduce_between(Team& team, const Sides& sides, const Part& part, const void* send,
                                 void* recv, std::size_t count, const Reduction& reduction);

/// The partners receive the root's data.
shm::Result<void> bcast_between(Team& team, const Sides& sides, const Part& part, const Message& message);

}  // namespace foldlane::engine
