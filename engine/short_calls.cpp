// The calls that are short most of the time. Compiled by themselves: beside everything else that calls do,
// the compiler inlines less of their path (barrier 62 -> 80 ns).
#include <algorithm>

#include "engine/by_plan.hpp"
#include "engine/collectives.hpp"
#include "engine/fold_pair.hpp"
#include "engine/fold_whole.hpp"
#include "engine/in_groups.hpp"
#include "engine/perform.hpp"

namespace foldlane::engine {
namespace {

using shm::Result;

/// Whether the input travels beside the epochs, to a kernel.
bool is_short(const Team& team, std::size_t count, const Reduction& reduction) {
  return team.carries_inline(count * reduction.elem_bytes) && reduction.builtin != nullptr;
}

CallInfo info_of(const BlockCounts& counts, int members, const Reduction& reduction) {
  auto hash = static_cast<std::uint64_t>(counts[0]);
  if (!counts.are_equal()) {
    for (int member = 0; member < members; ++member)
      hash = hash * 0x9e3779b97f4a7c15U + static_cast<std::uint64_t>(counts[member]);
  }
  CallInfo info = info_of(Call::reduce_scatter, hash, reduction);
  info.variant = counts.are_equal() ? kEqualBlocks : 0;
  return info;
}

Result<void> fold_in_lines(Team& team, const void* send, void* recv, std::size_t count,
                           const Reduction& reduction, const Piece& wanted) {
  return verdict(team, run_fold_in_lines(team, static_cast<const std::byte*>(send),
                                         static_cast<std::byte*>(recv), count, reduction, wanted));
}

/// Whether all that one of two members passes the other goes into one box.
bool is_for_a_box(const Team& team, std::size_t count, const Reduction& reduction) {
  return team.carries_in_box(count * reduction.elem_bytes) && reduction.builtin != nullptr;
}

Result<void> fold_in_a_box(Team& team, const void* send, void* recv, const Piece& mine, const Piece& theirs,
                           const Reduction& reduction) {
  return verdict(team, run_fold_pair_once(team, {.send = static_cast<const std::byte*>(send),
                                                 .recv = static_cast<std::byte*>(recv),
                                                 .mine = mine,
                                                 .theirs = theirs,
                                                 .reduction = &reduction,
                                                 .box_count = std::max(mine.count, theirs.count),
                                                 .streaming = false}));
}

}  // namespace

Result<void> barrier(Team& team, Call as, int root) {
  if (!team.enter({.call = as, .root = static_cast<std::uint16_t>(root)})) [[unlikely]]
    return failure_of(team);
  if (team.flat_inline_bytes() == 0) [[unlikely]]
    return meet_in_groups(team);
  return verdict(team, run_meet(team));
}

Result<void> bcast(Team& team, const Message& message, int root, Call as) {
  const CallInfo info{
      .call = as, .root = static_cast<std::uint16_t>(root), .type = message.type, .count = message.bytes};
  if (!team.enter(info)) [[unlikely]]
    return failure_of(team);
  const Broadcast whole{.buffer = static_cast<std::byte*>(message.buffer),
                        .layout = message.layout,
                        .bytes = message.bytes,
                        .root = root,
                        .reads = true,
                        .chunk_bytes = message.bytes,
                        .streaming = false};
  if (team.carries_inline(message.bytes)) return verdict(team, run_broadcast_in_line(team, whole));
  if (team.carries_in_slot(message.bytes)) return verdict(team, run_broadcast_once(team, whole));
  return bcast_by_plan(team, message, root);
}

Result<void> allreduce(Team& team, const void* send, void* recv, std::size_t count,
                       const Reduction& reduction) {
  if (!team.enter(info_of(Call::allreduce, count, reduction))) [[unlikely]]
    return failure_of(team);
  if (is_short(team, count, reduction)) [[likely]]
    return fold_in_lines(team, send, recv, count, reduction, {0, count});
  if (is_for_a_box(team, count, reduction))
    return fold_in_a_box(team, send, recv, {0, count}, {0, count}, reduction);
  return allreduce_by_plan(team, send, recv, count, reduction);
}

Result<void> reduce(Team& team, const void* send, void* recv, std::size_t count, const Reduction& reduction,
                    int root) {
  if (!team.enter(info_of(Call::reduce, count, reduction, root))) [[unlikely]]
    return failure_of(team);
  const std::size_t mine = team.rank() == root ? count : 0;
  if (is_short(team, count, reduction)) [[likely]]
    return fold_in_lines(team, send, recv, count, reduction, {0, mine});
  if (is_for_a_box(team, count, reduction)) {
    return fold_in_a_box(team, send, recv, {0, mine}, {0, count - mine}, reduction);
  }
  return reduce_by_plan(team, send, recv, count, reduction, root);
}

Result<void> reduce_scatter(Team& team, const void* send, void* recv, const BlockCounts& counts,
                            const Reduction& reduction) {
  if (!team.enter(info_of(counts, team.size(), reduction))) [[unlikely]]
    return failure_of(team);
  const std::size_t count = counts.before(team.size());
  const auto block_of = [&](int member) {
    return Piece{counts.before(member), static_cast<std::size_t>(counts[member])};
  };
  if (is_short(team, count, reduction)) [[likely]]
    return fold_in_lines(team, send, recv, count, reduction, block_of(team.rank()));
  if (is_for_a_box(team, count, reduction))
    return fold_in_a_box(team, send, recv, block_of(team.rank()), block_of(1 - team.rank()), reduction);
  return reduce_scatter_by_plan(team, send, recv, counts, reduction);
}

}  // namespace foldlane::engine
