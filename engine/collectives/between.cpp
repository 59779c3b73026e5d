// Collectives between two groups. Whole inputs go through everybody's slots, whoever folds them: each group
// reads the other's. In rooted calls the bystanders of the root's group know nothing of the call, not even
// how many epochs it takes; so all first exchange what they know.
#include "engine/collectives/between.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "engine/collectives/broadcasts.hpp"
#include "engine/collectives/by_plan.hpp"
#include "engine/collectives/exchange_steps.hpp"
#include "engine/collectives/info.hpp"
#include "engine/collectives/perform.hpp"

namespace foldlane::engine {
namespace {

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

Procedure fold_between(Team& team, WholeFold call) {
  const std::uint64_t bytes = call.count * call.reduction->elem_bytes;
  const Plan chosen = plan_by_wholes(bytes, shape_of(team), call.reduction->elem_bytes);
  if (chosen.cls == Class::alone) {
    team.agreement().record_call();
    co_return;
  }
  if (chosen.cls == Class::inline_line) {
    co_await as_procedure<InlineFold<Team>>(team, call);
    co_return;
  }
  const RingLease slots(team);
  if (!slots) co_await Surrender();
  co_await fold_wholes(team, chosen, call);
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

Terms own_terms(const Team& team, const Collective& call, const CallInfo& info) {
  const std::uint64_t elem_bytes = call.reduction != nullptr ? call.reduction->elem_bytes : 1;
  Terms own{info.packed(), info.count, call.count, elem_bytes, -1, call.part.role};
  if (call.part.role == Part::root) own.root = team.rank();
  if (call.part.role == Part::partner) own.root = call.sides.remote.first + call.part.root_position;
  return own;
}

/// The terms of the root, or of nobody in a call of bystanders only. Gives the team up if they differ: every
/// member draws the same conclusion from the same facts.
Terms agreed(Team& team, const std::vector<Terms>& all) {
  const auto first =
      std::find_if(all.begin(), all.end(), [](const Terms& terms) { return terms.role != Part::bystander; });
  if (first == all.end()) return Terms{};
  const int other = contradiction(all, *first);
  if (other < 0) return *first;
  const Terms& theirs = all[static_cast<std::size_t>(other)];
  team.agreement().give_up(Trouble{Broken::mismatch,
                                   {static_cast<int>(first - all.begin()), other},
                                   {call_of(*first), call_of(theirs)},
                                   true});
  return *first;
}

Procedure agree(Team& team, Collective call, CallInfo info, Terms& terms) {
  std::vector<Terms> all;
  co_await exchange_steps(team, {.call = info.call}, own_terms(team, call, info), all);
  terms = agreed(team, all);
  if (team.agreement().broken()) co_await Surrender();
}

/// Each group receives the fold of the other group's inputs, or a part of it.
Procedure fold_both(Team& team, const Collective& call) {
  WholeFold fold{call.send, call.recv, call.count, 0, call.count, call.sides.remote, call.reduction};
  if (call.call == Call::reduce_scatter) {
    const int position = team.rank() - call.sides.local.first;
    fold.wanted_start = call.blocks.before(position);
    fold.wanted_count = static_cast<std::size_t>(call.blocks[position]);
  }
  return fold_between(team, fold);
}

Procedure reduce_between(Team& team, Collective call) {
  CallInfo info = info_of(Call::reduce, call.count, *call.reduction);
  info.variant = kBetween;
  Terms terms{};
  co_await agree(team, call, info, terms);
  Reduction known = *call.reduction;  // a bystander has none of its own
  known.elem_bytes = terms.elem_bytes;
  const bool is_root = call.part.role == Part::root;
  // The root has no input, and what bystanders show is never read.
  const std::byte* const send = call.part.role == Part::partner ? call.send : kNoInput;
  const std::size_t wanted = is_root ? terms.elements : 0;
  const Members& sources = is_root ? call.sides.remote : call.sides.local;
  co_await fold_between(team,
                        {send, is_root ? call.recv : nullptr, terms.elements, 0, wanted, sources, &known});
}

Procedure bcast_between(Team& team, Collective call) {
  const CallInfo info{.call = Call::bcast, .variant = kBetween, .type = call.type, .count = call.count};
  Terms terms{};
  co_await agree(team, call, info, terms);
  call.count = terms.elements;
  call.root = terms.root;
  TeamShape flat = shape_of(team);  // bystanders have nothing to hand on
  flat.hierarchy = nullptr;
  Plan chosen = plan(Call::bcast, call.count, flat);
  chosen.direct_first = false;
  Broadcast broadcast = broadcast_of(call);
  broadcast.reads = call.part.role == Part::partner;
  co_await broadcast_steps(team, chosen, broadcast);
}

bool is_rooted(Call call) { return call == Call::reduce || call == Call::bcast; }

}  // namespace

Procedure steps_between(Team& team, const Collective& call) {
  if (!is_rooted(call.call)) return fold_both(team, call);
  return call.call == Call::reduce ? reduce_between(team, call) : bcast_between(team, call);
}

}  // namespace foldlane::engine
