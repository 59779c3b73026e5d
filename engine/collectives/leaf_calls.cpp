// Compiled by itself, as short_calls.cpp is.
#include "engine/collectives/leaf_calls.hpp"

#include <algorithm>
#include <optional>

#include "engine/collectives/list_steps.hpp"
#include "engine/collectives/move_steps.hpp"
#include "engine/collectives/perform.hpp"
#include "engine/moves/carrier.hpp"
#include "engine/moves/pair/of_two.hpp"
#include "engine/moves/roles.hpp"
#include "engine/moves/rooted/gather_places.hpp"
#include "engine/moves/rooted/leaf_move.hpp"

namespace foldlane::engine {
namespace {

bool give(Team& team, const UserBuffer& block, int root, bool tells_length) {
  std::optional<RingLease> slots;
  if (LeafMove<Team>::needs_slot(team, block, tells_length)) slots.emplace(team);
  if (slots && !*slots) return false;
  return run_turns(LeafMove<Team>(team, root, block, tells_length));
}

bool run(Team& team, Call call, const UserBuffer& block, int root) {
  if (call == Call::scatterv) return run_scatter_as_leaf(team, block, root);
  if (call == Call::scatter) return run_turns(LeafTake<Team>(team, root, block, false));
  return give(team, block, root, call == Call::gatherv);
}

/// The root takes it as from any other giver (PairLineTurns). Of two members equal blocks without bytes are
/// no move at all.
bool is_leaf_of_two(Call call, std::uint64_t bytes) noexcept {
  const bool is_equal = moves_equal_blocks(call);
  return gives_in(call, false) && bytes <= most_in_line(!is_equal) && (bytes > 0 || !is_equal);
}

}  // namespace

bool is_leaf_call(const Team& team, Call call, std::uint64_t bytes) noexcept {
  if (team.size() == 2) return is_leaf_of_two(call, bytes);
  if (moves_equal_blocks(call)) return is_short_move(team, call, bytes);
  const std::size_t slot_bytes = team.process().geometry().slot_bytes;
  if (call == Call::gatherv)
    return !GatherPlaces::may_have_place(bytes) && carrier_of(bytes, 1, slot_bytes) != Carrier::message;
  return bytes <= std::min<std::uint64_t>(kMostOfEachThroughSlots, slot_bytes) &&
         ListedBlocks::fit_slots(call, team.size(), slot_bytes);
}

shm::Result<void> perform_as_leaf(Team& team, Call call, const UserBuffer& block, int root) {
  const std::uint64_t count = moves_equal_blocks(call) ? block.bytes : 0;
  if (!team.enter({.call = call, .root = static_cast<std::uint16_t>(root), .count = count})) [[unlikely]]
    return failure_of(team);
  return perform(team, [&] { return run(team, call, block, root); });
}

}  // namespace foldlane::engine
