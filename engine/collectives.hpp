// The blocking collectives of a team. Collective: every member calls the same function with matching
// arguments, in the same order. Counts are elements, 64 bits. `send == recv` means in place. Buffers have any
// alignment.
//
// Every call returns when the caller's part is done (leaves may leave early), or with an error:
//   peer_failed  a rank of the job has died (within the bound of design.md section 1)
//   disagreement the members' calls do not match, or one of them gave up; Team::trouble() names both sides
// After either the team is unusable, and further calls return the same error. An exception thrown by a
// caller's operation passes through; the other members get `disagreement`.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/block_counts.hpp"
#include "engine/reduction.hpp"
#include "engine/team.hpp"
#include "shm/result.hpp"

namespace foldlane::engine {

/// Returns when everybody has called it. `as`: what it is announced as.
shm::Result<void> barrier(Team& team, Call as = Call::barrier);

/// `type` is what members must agree on besides the number of bytes.
shm::Result<void> bcast(Team& team, void* buffer, std::size_t bytes, int root, std::uint16_t type = 0);

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
/// members; or of 0 to r - 1 (exclusive), and member 0 nothing.
enum class Prefix : std::uint8_t { inclusive, exclusive };
shm::Result<void> scan(Team& team, const void* send, void* recv, std::size_t count,
                       const Reduction& reduction, Prefix prefix);

/// Every member shows at most kInlineBytes (`bytes` is the same on all) and gets what all showed, one after
/// the other in `all`.
shm::Result<void> exchange(Team& team, const void* own, std::size_t bytes, void* all);

}  // namespace foldlane::engine
