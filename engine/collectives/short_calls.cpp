// The calls that are short most of the time. Compiled by themselves: beside everything else that calls do,
// the compiler inlines less of their path (barrier 62 -> 80 ns).
#include <algorithm>

#include "engine/algorithms/broadcast.hpp"
#include "engine/algorithms/exchange.hpp"
#include "engine/algorithms/fold_central.hpp"
#include "engine/algorithms/fold_pair.hpp"
#include "engine/algorithms/fold_whole.hpp"
#include "engine/collectives/by_plan.hpp"
#include "engine/collectives/collectives.hpp"
#include "engine/collectives/info.hpp"
#include "engine/collectives/perform.hpp"
#include "engine/plans/plan_of_two.hpp"

namespace foldlane::engine {
namespace {

using shm::Result;

/// Of everybody's inputs.
[[gnu::always_inline]] inline WholeFold whole_of(const Team& team, const void* send, void* recv,
                                                 std::size_t count, const Reduction& reduction,
                                                 const Piece& wanted) {
  return {static_cast<const std::byte*>(send),
          static_cast<std::byte*>(recv),
          count,
          wanted.start,
          wanted.count,
          {0, team.size()},
          &reduction};
}

/// In place: its arguments stay in registers (64 bytes, near: 54 instead of 59 ns).
[[gnu::always_inline]] inline Result<void> fold_in_lines(Team& team, const WholeFold& call) {
  return perform(team, [&] { return run_turns(InlineFold<Team>(team, call)); });
}

/// Whether the last one to arrive folds for all. Nobody calls operations of the caller's for others.
bool is_for_the_last(const Team& team, std::size_t count, const Reduction& reduction) {
  return team.inline_limits().carry_centrally(count * reduction.elem_bytes) && reduction.builtin != nullptr;
}

Result<void> fold_by_the_last(Team& team, const void* send, void* recv, std::size_t count,
                              const Reduction& reduction, const Piece& wanted) {
  const WholeFold call = whole_of(team, send, recv, count, reduction, wanted);
  return verdict(team, run_turns(CentralFold<Team>(team, call)));
}

/// Whether all that one of two members passes the other goes into one box.
bool is_for_a_box(const Team& team, std::size_t count, const Reduction& reduction) {
  return team.carries_in_box(count * reduction.elem_bytes) && reduction.builtin != nullptr;
}

Result<void> fold_in_a_box(Team& team, const void* send, void* recv, const Piece& mine, const Piece& theirs,
                           const Reduction& reduction, bool keeps = false) {
  const PairFold call{.send = static_cast<const std::byte*>(send),
                      .recv = static_cast<std::byte*>(recv),
                      .mine = mine,
                      .theirs = theirs,
                      .reduction = &reduction,
                      .box_count = std::max(mine.count, theirs.count),
                      .streaming = false,
                      .keeps = keeps};
  return verdict(team, run_turns(PairTurns<Team, true>(team, call)));
}

}  // namespace

Result<void> barrier(Team& team, Call as, int root) {
  if (!team.enter({.call = as, .root = static_cast<std::uint16_t>(root)})) [[unlikely]]
    return failure_of(team);
  if (team.inline_limits().allow_meeting()) [[likely]]
    return verdict(team, run_turns(Exchange<Team>(team)));
  if (team.inline_limits().is_central()) return verdict(team, run_turns(CentralExchange<Team>(team)));
  return run(team, {.call = Call::barrier});
}

Result<void> bcast(Team& team, const Message& message, int root, Call as) {
  const CallInfo info{
      .call = as, .root = static_cast<std::uint16_t>(root), .type = message.type, .count = message.bytes};
  if (!team.enter(info)) [[unlikely]]
    return failure_of(team);
  const Broadcast whole{.buffer = static_cast<std::byte*>(message.buffer),
                        .type_map = message.type_map,
                        .bytes = message.bytes,
                        .root = root,
                        .reads = true,
                        .chunk_bytes = message.bytes,
                        .streaming = false};
  if (team.inline_limits().carry(message.bytes))
    return verdict(team, run_turns(InlineBroadcast<Team>(team, whole)));
  if (team.carries_in_slot(message.bytes)) {
    const RingLease slots(team);
    return verdict(team, slots && run_turns(SlotBroadcast<Team>(team, whole)));
  }
  return run(team, {.call = Call::bcast,
                    .recv = whole.buffer,
                    .count = whole.bytes,
                    .root = root,
                    .type_map = message.type_map,
                    .type = message.type,
                    .mail = message.mail});
}

Result<void> allreduce(Team& team, const void* send, void* recv, std::size_t count,
                       const Reduction& reduction) {
  if (!team.enter(info_of(Call::allreduce, count, reduction))) [[unlikely]]
    return failure_of(team);
  if (team.inline_limits().carry_for_all(count * reduction.elem_bytes)) [[likely]]
    return fold_in_lines(team, whole_of(team, send, recv, count, reduction, {0, count}));
  if (is_for_the_last(team, count, reduction))
    return fold_by_the_last(team, send, recv, count, reduction, {0, count});
  if (is_for_a_box(team, count, reduction))
    return fold_in_a_box(team, send, recv, {0, count}, {0, count}, reduction);
  return run(team, fold_call(Call::allreduce, send, recv, count, reduction));
}

Result<void> reduce(Team& team, const void* send, void* recv, std::size_t count, const Reduction& reduction,
                    int root) {
  if (!team.enter(info_of(Call::reduce, count, reduction, root))) [[unlikely]]
    return failure_of(team);
  const std::size_t mine = team.rank() == root ? count : 0;
  if (team.inline_limits().carry(count * reduction.elem_bytes)) [[likely]]
    return fold_in_lines(team, whole_of(team, send, recv, count, reduction, {0, mine}));
  if (is_for_a_box(team, count, reduction)) {
    return fold_in_a_box(team, send, recv, {0, mine}, {0, count - mine}, reduction);
  }
  Collective call = fold_call(Call::reduce, send, recv, count, reduction);
  call.root = root;
  return run(team, call);
}

Result<void> scan(Team& team, const void* send, void* recv, std::size_t count, const Reduction& reduction,
                  Prefix prefix, const Mail& mail) {
  const Call as = prefix == Prefix::inclusive ? Call::scan : Call::exscan;
  if (!team.enter(info_of(as, count, reduction))) [[unlikely]]
    return failure_of(team);
  if (team.inline_limits().carry(count * reduction.elem_bytes)) [[likely]] {
    const Members sources = sources_of(as, team);
    WholeFold call = whole_of(team, send, recv, count, reduction, {0, sources.count == 0 ? 0 : count});
    call.sources = sources;
    call.is_read = is_read(as, team, reduction);
    return fold_in_lines(team, call);
  }
  if (as == Call::scan && count * reduction.elem_bytes <= kMostScanInABox &&
      is_for_a_box(team, count, reduction)) {
    const bool is_first = team.rank() == 0;
    const std::size_t mine = is_first ? 0 : count;
    return fold_in_a_box(team, send, recv, {0, mine}, {0, count - mine}, reduction, is_first);
  }
  Collective call = fold_call(as, send, recv, count, reduction);
  call.mail = mail;
  return run(team, call);
}

Result<void> reduce_scatter(Team& team, const void* send, void* recv, const BlockCounts& counts,
                            const Reduction& reduction) {
  if (!team.enter(info_of(counts, team.size(), reduction))) [[unlikely]]
    return failure_of(team);
  const std::size_t count = counts.before(team.size());
  const auto block_of = [&](int member) {
    return Piece{counts.before(member), static_cast<std::size_t>(counts[member])};
  };
  if (team.inline_limits().carry_for_all(count * reduction.elem_bytes)) [[likely]]
    return fold_in_lines(team, whole_of(team, send, recv, count, reduction, block_of(team.rank())));
  if (is_for_the_last(team, count, reduction))
    return fold_by_the_last(team, send, recv, count, reduction, block_of(team.rank()));
  if (is_for_a_box(team, count, reduction))
    return fold_in_a_box(team, send, recv, block_of(team.rank()), block_of(1 - team.rank()), reduction);
  Collective call = fold_call(Call::reduce_scatter, send, recv, count, reduction);
  call.blocks = counts;
  return run(team, call);
}

}  // namespace foldlane::engine
