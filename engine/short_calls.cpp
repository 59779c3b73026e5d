// The calls that are short most of the time. Compiled by themselves: beside everything else that calls do,
// the compiler inlines less of their path (barrier 62 -> 80 ns).
#include "engine/by_plan.hpp"
#include "engine/collectives.hpp"
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

Result<void> fold_in_lines(Team& team, const void* send, void* recv, std::size_t count,
                           const Reduction& reduction, bool wants) {
  return verdict(team, run_fold_in_lines(team, static_cast<const std::byte*>(send),
                                         static_cast<std::byte*>(recv), count, reduction, wants));
}

}  // namespace

Result<void> barrier(Team& team, Call as, int root) {
  if (!team.enter({.call = as, .root = static_cast<std::uint16_t>(root)})) [[unlikely]]
    return failure_of(team);
  if (team.flat_inline_bytes() == 0) [[unlikely]]
    return meet_in_groups(team);
  return verdict(team, run_meet(team));
}

Result<void> allreduce(Team& team, const void* send, void* recv, std::size_t count,
                       const Reduction& reduction) {
  if (!team.enter(info_of(Call::allreduce, count, reduction))) [[unlikely]]
    return failure_of(team);
  if (is_short(team, count, reduction)) [[likely]]
    return fold_in_lines(team, send, recv, count, reduction, true);
  return allreduce_by_plan(team, send, recv, count, reduction);
}

Result<void> reduce(Team& team, const void* send, void* recv, std::size_t count, const Reduction& reduction,
                    int root) {
  if (!team.enter(info_of(Call::reduce, count, reduction, root))) [[unlikely]]
    return failure_of(team);
  if (is_short(team, count, reduction)) [[likely]]
    return fold_in_lines(team, send, recv, count, reduction, team.rank() == root);
  return reduce_by_plan(team, send, recv, count, reduction, root);
}

}  // namespace foldlane::engine
