// Compiled by itself, as short_calls.cpp is.
#include "engine/collectives/leaf_calls.hpp"

#include <optional>

#include "engine/collectives/move_steps.hpp"
#include "engine/collectives/perform.hpp"
#include "engine/moves/leaf_move.hpp"

namespace foldlane::engine {
namespace {

bool give(Team& team, const UserBuffer& block, int root, bool tells_length) {
  std::optional<RingLease> slots;
  if (LeafMove<Team>::needs_slot(block, tells_length)) slots.emplace(team);
  if (slots && !*slots) return false;
  return run_turns(LeafMove<Team>(team, root, block, tells_length));
}

bool take(Team& team, const UserBuffer& block, int root, bool tells_length) {
  LeafTake<Team> turns(team, root, block, tells_length);
  if (!run_turns(turns) || team.agreement().broken()) return false;
  return !turns.is_in_slot() || run_scatter_from_slot(team, block, root, turns.epoch());
}

}  // namespace

bool is_leaf_call(Team& team, Call call, std::uint64_t bytes) {
  if (team.size() == 2) return false;
  if (moves_equal_blocks(call))
    return team.inline_limits().carry(static_cast<std::size_t>(shown_bytes(call, bytes, team.size())));
  if (call == Call::gatherv) return fit_slots(bytes, bytes, team.process().geometry().slot_bytes);
  return bytes <= Team::InlineLines::kBytesBesideNumber && is_scatter_by_lists(team);
}

shm::Result<void> perform_as_leaf(Team& team, Call call, const UserBuffer& block, int root) {
  const bool is_list = !moves_equal_blocks(call);
  const CallInfo info{
      .call = call, .root = static_cast<std::uint16_t>(root), .count = is_list ? 0 : block.bytes};
  if (!team.enter(info)) [[unlikely]]
    return failure_of(team);
  const bool gives = call == Call::gather || call == Call::gatherv;
  return verdict(team, gives ? give(team, block, root, is_list) : take(team, block, root, is_list));
}

}  // namespace foldlane::engine
