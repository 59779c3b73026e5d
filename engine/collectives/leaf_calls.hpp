// Gather(v) and scatter(v) as their leaves call them, whose block goes in a line, or in a slot of which a
// line tells: blocking, with one block instead of lists.
#pragma once

#include "engine/collectives/collective.hpp"
#include "engine/p2p/user_buffer.hpp"
#include "engine/team/team.hpp"
#include "shm/base/result.hpp"

namespace foldlane::engine {

/// Whether a leaf may call it so, with a block of so many bytes. Of two members those that give alone. It
/// looks at nothing that calls change, so it may be asked before the announcement.
bool is_leaf_call(const Team& team, Call call, std::uint64_t bytes) noexcept;
/// The call, and its announcement.
shm::Result<void> perform_as_leaf(Team& team, Call call, const UserBuffer& block, int root);

}  // namespace foldlane::engine
