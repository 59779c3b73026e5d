// Calls of more than two members whose blocks go by lists (engine/moves/lists), after their announcement.
#pragma once

#include "engine/collectives/collective.hpp"
#include "engine/moves/lists/listed_blocks.hpp"
#include "engine/moves/lists/packed_list.hpp"
#include "engine/moves/movement.hpp"
#include "engine/p2p/user_buffer.hpp"
#include "engine/progress/procedure.hpp"
#include "engine/team/team.hpp"
#include "shm/base/result.hpp"

namespace foldlane::engine {

/// `is_central`: the last one to arrive tells the others.
Procedure move_by_lists(Team& team, const Collective& call, bool is_central);
/// The same, blocking to its end. False: the job or the team has failed.
bool run_by_lists(Team& team, const Collective& call, bool is_central);
/// Whether a call goes that way however long its blocks are, and lines announce them: what plan() says, too.
inline bool is_announced_in_lines(const Team& team, Call call) noexcept {
  return are_lists_announced(call, team.size()) &&
         ListedBlocks::fit_slots(call, team.size(), team.process().geometry().slot_bytes);
}
/// Such a call in which all members give, and its announcement, blocking.
shm::Result<void> perform_announced_lists(Team& team, Call call, const Movement& movement);

/// A gatherv of more than two members, or a gather of long blocks, after its announcement, and the same
/// blocking to its end.
Procedure gather_lists(Team& team, const Collective& call);
bool run_gather_of_lists(Team& team, const Collective& call);

/// A scatterv as a leaf, after its announcement and blocking, with a block that goes in a line or in the
/// root's slot unless the others' are too long.
bool run_scatter_as_leaf(Team& team, const UserBuffer& block, int root);

}  // namespace foldlane::engine
