#include "engine/collectives/neighbours/neighbour_edges.hpp"

#include <optional>

#include "engine/collectives/perform.hpp"
#include "engine/moves/neighbours/neighbour_move.hpp"

namespace foldlane::engine {

shm::Result<void> find_places(Team& team, const CallInfo& as, const Edges& edges) {
  if (!team.enter(as)) [[unlikely]]
    return failure_of(team);
  if (team.size() == 1) return {};  // has no lines, and gives itself all in the order of its edges
  EdgeLists<Team> lists(team, edges);
  std::optional<RingLease> slots;
  if (lists.is_in_slot()) slots.emplace(team);
  const bool has_room = !slots || *slots;
  return verdict(team, has_room && run_turns(NeighbourMove<Team, EdgeLists<Team>>(team, lists)));
}

}  // namespace foldlane::engine
