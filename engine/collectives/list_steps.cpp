#include "engine/collectives/list_steps.hpp"

#include <optional>

#include "engine/collectives/perform.hpp"
#include "engine/moves/by_messages.hpp"
#include "engine/moves/lists/announced_lists.hpp"
#include "engine/moves/lists/pulled_blocks.hpp"
#include "engine/moves/rooted/gather_root.hpp"
#include "engine/moves/rooted/leaf_move.hpp"
#include "engine/moves/shown_move.hpp"
#include "engine/plans/plan_of_moves.hpp"

namespace foldlane::engine {
namespace {

bool knows_what_to_pull(Team& team) {
  return team.slots().block_choices().permission() != Permission::unknown;
}

/// In as few turns as there are slots, where each is a switch of all ranks that share CPUs.
template <std::uint64_t kAhead>
Procedure move_chunks(Team& team, const Collective& call, const ChunkedLists& lists) {
  const std::uint64_t llc_bytes = team.process().geometry().llc_bytes;
  const Arm stores =
      streaming_if(llc_bytes > 0 && lists.bytes() * static_cast<std::uint64_t>(team.size()) > llc_bytes);
  SteppedTurns<ListChunksMove<Team, kAhead>> turns(team, call.call, call.root, *call.movement, lists, stores);
  co_await TurnsWait(turns);
}
Procedure move_chunks(Team& team, const Collective& call, const ChunkedLists& lists) {
  return team.process().geometry().shared_cpus > 0 ? move_chunks<kSlots - 1>(team, call, lists)
                                                   : move_chunks<1>(team, call, lists);
}

/// The slots are the call's from the tables to the last chunk.
template <class Turns>
Procedure move(Team& team, const Collective& call) {
  if (!knows_what_to_pull(team)) co_await as_procedure<PermissionTurns<Team>>(team);
  const RingLease slots(team);
  if (!slots) co_await Surrender();
  ChunkedLists chunks;
  BlockChoices::Use way(team.slots().block_choices());
  SteppedTurns<Turns> turns(team, call.call, call.root, *call.movement, chunks, way);
  co_await TurnsWait(turns);
  if (team.agreement().broken()) co_await Surrender();
  if (chunks.turns > 0) co_await move_chunks(team, call, chunks);
  way.end();
}

/// Needs to be known what can be pulled. `epoch` is what has begun already, if anything.
template <class Turns, class... Epoch>
bool run_knowing(Team& team, const Collective& call, Epoch... epoch) {
  const RingLease slots(team);
  ChunkedLists chunks;
  BlockChoices::Use way(team.slots().block_choices());
  if (!slots || !run_turns(Turns(team, call.call, call.root, *call.movement, chunks, way, epoch...)))
    return false;
  if (team.agreement().broken()) return false;
  if (chunks.turns > 0 && !move_chunks(team, call, chunks).run()) return false;
  way.end();
  return true;
}

template <class Turns>
bool run(Team& team, const Collective& call) {
  return knows_what_to_pull(team) ? run_knowing<Turns>(team, call) : move<Turns>(team, call).run();
}

/// What a leaf takes, as lists.
class LeafMovement {
 public:
  LeafMovement(const UserBuffer& block, int root) : receives_({root, block}) {
    movement_.sends = &sends_;
    movement_.receives = &receives_;
  }
  LeafMovement(const LeafMovement&) = delete;
  LeafMovement& operator=(const LeafMovement&) = delete;
  const Movement& operator*() const noexcept { return movement_; }

 private:
  NoBlocks sends_;
  OneBlock receives_;
  Movement movement_;
};

// ---- gatherv

Procedure receive_rest(Team& team, const Mail& mail, const BlockList& blocks) {
  const NoBlocks none;
  Movement rest;
  rest.mail = mail;
  rest.sends = &none;
  rest.receives = &blocks;
  co_await move_by_messages(team, rest);
}

Procedure gather_as_root(Team& team, const Collective& call) {
  const bool offers = GatherRoot<Team>::offers_places(team, *call.movement);
  std::optional<RingLease> slots;
  if (offers) slots.emplace(team);
  if (slots && !*slots) co_await Surrender();
  SteppedTurns<GatherRoot<Team>> turns(team, *call.movement, offers);
  co_await TurnsWait(turns);
  if (team.agreement().broken()) co_await Surrender();
  const BlockList& rest = turns.turns().by_message();
  if (rest.count() > 0) co_await receive_rest(team, call.movement->mail, rest);
}

bool run_gather_as_root(Team& team, const Collective& call) {
  const bool offers = GatherRoot<Team>::offers_places(team, *call.movement);
  std::optional<RingLease> slots;
  if (offers) slots.emplace(team);
  if (slots && !*slots) return false;
  GatherRoot<Team> turns(team, *call.movement, offers);
  if (!run_turns(turns) || team.agreement().broken()) return false;
  const BlockList& rest = turns.by_message();
  return rest.count() == 0 || receive_rest(team, call.movement->mail, rest).run();
}

/// What a leaf gives.
UserBuffer given_by_leaf(const Collective& call) { return call.movement->sends->at(0).buffer; }

Procedure gather_as_leaf(Team& team, const Collective& call) {
  const UserBuffer block = given_by_leaf(call);
  std::optional<RingLease> slots;
  if (LeafMove<Team>::needs_slot(team, block, true)) slots.emplace(team);
  if (slots && !*slots) co_await Surrender();
  SteppedTurns<LeafMove<Team>> turns(team, call.root, block, true);
  co_await TurnsWait(turns);
  if (turns.turns().message_follows()) co_await move_by_messages(team, *call.movement);
}

/// Only who is in the call until its block is gone asks where it goes: of a nonblocking call the root would
/// wait for leaves that compute meanwhile, instead of copying from their heaps.
bool asks_for_place(Team& team, const UserBuffer& block) {
  return GatherPlaces::may_have_place(block.bytes) && team.process().common().bytes > 0 &&
         team.slots().block_choices().where().is_due();
}

bool run_gather_as_leaf(Team& team, const Collective& call) {
  const UserBuffer block = given_by_leaf(call);
  const bool asks = asks_for_place(team, block);
  std::optional<RingLease> slots;
  if (!asks && LeafMove<Team>::needs_slot(team, block, true)) slots.emplace(team);
  if (slots && !*slots) return false;
  LeafMove<Team> turns(team, call.root, block, true, asks);
  return run_turns(turns) && !team.agreement().broken() &&
         (!turns.message_follows() || move_by_messages(team, *call.movement).run());
}

}  // namespace

Procedure gather_lists(Team& team, const Collective& call) {
  return team.rank() == call.root ? gather_as_root(team, call) : gather_as_leaf(team, call);
}

bool run_gather_of_lists(Team& team, const Collective& call) {
  return team.rank() == call.root ? run_gather_as_root(team, call) : run_gather_as_leaf(team, call);
}

Procedure move_by_lists(Team& team, const Collective& call, bool is_central) {
  if (!are_lists_announced(call.call, team.size()))
    return is_central ? move<CentralListMove<Team>>(team, call) : move<ListMove<Team>>(team, call);
  return is_central ? move<CentralAnnouncedLists<Team>>(team, call) : move<AnnouncedLists<Team>>(team, call);
}

bool run_by_lists(Team& team, const Collective& call, bool is_central) {
  if (!are_lists_announced(call.call, team.size()))
    return is_central ? run<CentralListMove<Team>>(team, call) : run<ListMove<Team>>(team, call);
  return is_central ? run<CentralAnnouncedLists<Team>>(team, call) : run<AnnouncedLists<Team>>(team, call);
}

shm::Result<void> perform_announced_lists(Team& team, Call call, const Movement& movement) {
  if (!team.enter({.call = call})) [[unlikely]]
    return failure_of(team);
  const bool is_central = is_by_the_last(call, team.size(), team.process().geometry().shared_cpus);
  return perform(team, [&] { return run_by_lists(team, {.call = call, .movement = &movement}, is_central); });
}

bool run_scatter_as_leaf(Team& team, const UserBuffer& block, int root) {
  const auto by_lists = [&](const auto& body) {
    const LeafMovement movement(block, root);
    return body(Collective{.call = Call::scatterv, .root = root, .movement = &*movement});
  };
  if (!knows_what_to_pull(team))
    return by_lists([&](const Collective& call) { return run<AnnouncedLists<Team>>(team, call); });
  LeafTake<Team> turns(team, root, block, true);
  if (!run_turns(turns) || team.agreement().broken()) return false;
  return !turns.goes_on() || by_lists([&](const Collective& call) {
    return run_knowing<AnnouncedLists<Team>>(team, call, turns.epoch());
  });
}

}  // namespace foldlane::engine
