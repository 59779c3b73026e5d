#include "engine/statistics/lateness.hpp"

namespace foldlane::engine {
namespace {

bool came_earlier(const Stay& a, const Stay& b) { return a.entered < b.entered; }

std::size_t last_of(std::span<const Stay> members) {
  return static_cast<std::size_t>(std::max_element(members.begin(), members.end(), came_earlier) -
                                  members.begin());
}

/// The one whom the first member waits for at the end.
std::size_t first_awaited(const Needs& needs, std::span<const Stay> members) {
  if (needs.whom == Needs::root) return needs.root_member;
  return needs.whom == Needs::those_before ? 0 : last_of(members);
}

bool needs_others(const Needs& needs, std::size_t member) {
  if (needs.whom == Needs::all_at_root) return member == needs.root_member;
  return needs.whom != Needs::unknown;
}

}  // namespace

Needs needs_of(const Collective& call) noexcept {
  if (call.is_between_groups() || moves_among_neighbours(call.call)) return {Needs::unknown};
  const auto root = static_cast<std::uint16_t>(call.root);
  switch (call.call) {
    case Call::reduce:
    case Call::gather:
    case Call::gatherv:
      return {Needs::all_at_root, root};
    case Call::bcast:
    case Call::scatter:
    case Call::scatterv:
      return {Needs::root, root};
    case Call::scan:
    case Call::exscan:
      return {Needs::those_before};
    default:
      return {Needs::everybody};
  }
}

// A member that came last itself is its own awaited one, and has waited for 0 ticks.
Lateness lateness_of(const Needs& needs, std::size_t member, std::span<const Stay> members) noexcept {
  Lateness lateness;
  std::size_t awaited = first_awaited(needs, members);
  for (std::size_t other = 0; other < members.size(); ++other) {
    if (needs.whom == Needs::those_before && came_earlier(members[awaited], members[other])) awaited = other;
    if (!needs_others(needs, other)) continue;
    const std::uint64_t waited = members[other].waited_until(members[awaited].entered);
    if (other == member) lateness.waited = waited;
    if (awaited == member) lateness.kept += waited;
  }
  return lateness;
}

}  // namespace foldlane::engine
