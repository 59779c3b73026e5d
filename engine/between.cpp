// Collectives between two groups. Whole inputs go through everybody's slots, whoever folds them: each group
// reads the other's. In rooted calls the bystanders of the root's group know nothing of the call, not even
// how many epochs it takes; so all first exchange what they know.
#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "engine/collectives.hpp"
#include "engine/perform.hpp"
#include "engine/shares.hpp"

namespace foldlane::engine {
namespace {

using shm::Result;

/// What a member of a rooted call shows to all.
struct Terms {
  std::uint64_t what;   // CallInfo, of all but bystanders
  std::uint64_t count;  // CallInfo
  std::uint64_t elements;
  std::uint64_t elem_bytes;
  std::int32_t root;  // a member of the team; of a partner and the root
  Part::Role role;
};
static_assert(sizeof(Terms) <= Team::kInlineBytes);

Result<void> fold_between(Team& team, const WholeFold& call) {
  const std::uint64_t bytes = call.count * call.reduction->elem_bytes;
  const Plan chosen = plan_by_wholes(bytes, shape_of(team), call.reduction->elem_bytes);
  if (chosen.cls == Class::alone) {
    team.record_call();
    return {};
  }
  if (chosen.cls == Class::inline_line) return fold_in_one_line(team, call);
  return fold_by_wholes(team, chosen, call);
}

/// The first member whose terms contradict those of `with`; -1 if none does. The root that all name must
/// know.
int contradiction(const std::vector<Terms>& all, const Terms& with) {
  for (std::size_t member = 0; member < all.size(); ++member) {
    const Terms& terms = all[member];
    const bool is_named = static_cast<int>(member) == with.root;
    if (terms.role == Part::bystander && !is_named) continue;
    const bool is_root = terms.role == Part::root;
    if (is_root != is_named || terms.root != with.root || terms.what != with.what ||
        terms.count != with.count)
      return static_cast<int>(member);
  }
  return -1;
}

/// Of a message: the call of a member with these terms.
CallInfo call_of(const Terms& terms) {
  CallInfo info = CallInfo::unpacked(terms.what, terms.count);
  info.root = terms.root < 0 ? kNoRoot : static_cast<std::uint16_t>(terms.root);
  return info;
}

/// Agrees on a rooted call; the terms are those of the root. Every member draws the same conclusion from the
/// same facts.
Result<Terms> agree(Team& team, const Sides& sides, const Part& part, const CallInfo& info,
                    std::uint64_t elements, std::uint64_t elem_bytes) {
  Terms own{info.packed(), info.count, elements, elem_bytes, -1, part.role};
  if (part.role == Part::root) own.root = team.rank();
  if (part.role == Part::partner) own.root = sides.remote.first + part.root_position;
  const auto known = exchange(team, info.call, own);
  if (!known.ok()) return known.error();
  const std::vector<Terms>& all = known.value();
  const auto first =
      std::find_if(all.begin(), all.end(), [](const Terms& terms) { return terms.role != Part::bystander; });
  if (first == all.end()) return Terms{};  // a call of bystanders only: nothing to do
  const int other = contradiction(all, *first);
  if (other < 0) return *first;
  const Terms& theirs = all[static_cast<std::size_t>(other)];
  team.give_up(Trouble{Broken::mismatch,
                       {static_cast<int>(first - all.begin()), other},
                       {call_of(*first), call_of(theirs)},
                       true});
  return failure_of(team);
}

CallInfo bare(Call call) { return {.call = call, .variant = kBetween}; }

}  // namespace

Result<void> allreduce_between(Team& team, const Sides& sides, const void* send, void* recv,
                               std::size_t count, const Reduction& reduction) {
  if (!team.enter(info_of(Call::allreduce, count, reduction))) [[unlikely]]
    return failure_of(team);
  return fold_between(team, {static_cast<const std::byte*>(send), static_cast<std::byte*>(recv), count, 0,
                             count, sides.remote, &reduction});
}

Result<void> reduce_scatter_between(Team& team, const Sides& sides, const void* send, void* recv,
                                    const BlockCounts& counts, const Reduction& reduction) {
  const Shares shares = Shares::blocks(counts, sides.local.count);
  if (!team.enter(info_of(Call::reduce_scatter, shares.total(), reduction))) [[unlikely]]
    return failure_of(team);
  const int position = team.rank() - sides.local.first;
  return fold_between(team,
                      {static_cast<const std::byte*>(send), static_cast<std::byte*>(recv), shares.total(),
                       shares.start(position), shares.count(position), sides.remote, &reduction});
}

Result<void> reduce_between(Team& team, const Sides& sides, const Part& part, const void* send, void* recv,
                            std::size_t count, const Reduction& reduction) {
  if (!team.enter(bare(Call::reduce))) [[unlikely]]
    return failure_of(team);
  CallInfo info = info_of(Call::reduce, count, reduction);
  info.variant = kBetween;
  auto terms = agree(team, sides, part, info, count, reduction.elem_bytes);
  if (!terms.ok()) return terms.error();
  const std::size_t elements = terms.value().elements;
  Reduction known = reduction;  // a bystander has none of its own
  known.elem_bytes = terms.value().elem_bytes;
  if (part.role == Part::root) {
    // The root has no input; what it shows is never read.
    return fold_between(
        team, {kNoInput, static_cast<std::byte*>(recv), elements, 0, elements, sides.remote, &known});
  }
  const bool has_input = part.role == Part::partner;
  return fold_between(team, {has_input ? static_cast<const std::byte*>(send) : kNoInput, nullptr, elements, 0,
                             0, sides.local, &known});
}

Result<void> bcast_between(Team& team, const Sides& sides, const Part& part, const Message& message) {
  if (!team.enter(bare(Call::bcast))) [[unlikely]]
    return failure_of(team);
  const CallInfo info{.call = Call::bcast, .variant = kBetween, .type = message.type, .count = message.bytes};
  auto terms = agree(team, sides, part, info, message.bytes, 1);
  if (!terms.ok()) return terms.error();
  Message known = message;
  known.bytes = terms.value().elements;
  TeamShape flat = shape_of(team);  // bystanders have nothing to hand on
  flat.hierarchy = nullptr;
  return perform_broadcast(team, plan(Call::bcast, known.bytes, flat), known, terms.value().root,
                           part.role == Part::partner);
}

}  // namespace foldlane::engine
