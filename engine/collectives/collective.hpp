// One collective call as one member makes it: what its blocking, nonblocking and persistent form have in
// common.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/data/block_counts.hpp"
#include "engine/data/reduction.hpp"
#include "engine/data/shares.hpp"
#include "engine/moves/mail.hpp"
#include "engine/moves/movement.hpp"
#include "engine/progress/procedure.hpp"
#include "engine/team/team.hpp"

namespace foldlane::engine {

/// Where the two groups of a call between groups are in their team.
struct Sides {
  Members local{0, 0};
  Members remote{0, 0};  // no members: the call is not between groups
};

/// A member's part in a rooted call between groups: the root, a member of the other group (which names the
/// root by its position in the root's group), or a bystander of the root's group, whose other arguments mean
/// nothing.
struct Part {
  enum Role : std::uint8_t { root, partner, bystander } role = root;
  int root_position = 0;  // of a partner
};

/// Buffers, counts and what `reduction` and `type_map` point to belong to the caller until the call is done.
struct Collective {
  Call call = Call::barrier;
  const std::byte* send = nullptr;
  std::byte* recv = nullptr;  // of a broadcast: the buffer
  std::size_t count = 0;      // elements of an input; of a broadcast: packed bytes
  const Reduction* reduction = nullptr;
  int root = 0;
  BlockCounts blocks = BlockCounts::equal(0);  // of a reduce-scatter
  const TypeMap* type_map = nullptr;           // of a broadcast; null: packed
  std::uint16_t type = 0;                      // of a broadcast: what members must agree on besides the bytes
  Mail mail{};                                 // of a broadcast or an exclusive prefix
  Sides sides{};
  Part part{};
  const Movement* movement = nullptr;  // of a call that only moves data; then `count` is what is sent

  bool is_between_groups() const { return sides.remote.count > 0; }
  std::uint64_t bytes() const { return reduction == nullptr ? count : count * reduction->elem_bytes; }
};

inline Collective fold_call(Call call, const void* send, void* recv, std::size_t count,
                            const Reduction& reduction) {
  return {.call = call,
          .send = static_cast<const std::byte*>(send),
          .recv = static_cast<std::byte*>(recv),
          .count = count,
          .reduction = &reduction};
}

/// The call after its announcement. It keeps the description, not what that points to.
Procedure steps_of(Team& team, const Collective& call);

/// The same, blocking to its end. What only goes through slots has one coroutine less, or none where one slot
/// carries all. False if the job or the team has failed.
bool run_steps(Team& team, const Collective& call);

}  // namespace foldlane::engine
