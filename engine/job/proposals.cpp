#include "engine/job/proposals.hpp"

#include <algorithm>
#include <cstddef>

namespace foldlane::engine {
namespace {

CallInfo info_of(Call as, std::uint64_t members) {
  return {.call = as, .variant = kWithMembers, .count = members};
}

/// Where each rank of the job stands among the members; of others nothing.
std::vector<int> positions_by_rank(const std::vector<int>& members) {
  std::vector<int> positions(static_cast<std::size_t>(*std::max_element(members.begin(), members.end())) + 1);
  for (std::size_t i = 0; i < members.size(); ++i)
    positions[static_cast<std::size_t>(members[i])] = static_cast<int>(i);
  return positions;
}

}  // namespace

std::uint64_t hash_of(const std::vector<int>& members) {
  std::uint64_t hash = members.size();
  for (const int rank : members)
    hash = (hash + static_cast<std::uint64_t>(rank) + 1) * 0x9e3779b97f4a7c15U;  // any odd multiplier does
  return hash;
}

bool agree(Team& parent, const std::vector<int>& members, const std::vector<Proposal>& all, Call as) {
  const std::uint64_t own = hash_of(members);
  const std::vector<int> positions = positions_by_rank(parent.members());
  for (const int rank : members) {
    const int member = positions[static_cast<std::size_t>(rank)];
    const std::uint64_t theirs = all[static_cast<std::size_t>(member)].members;
    if (theirs == own) continue;
    parent.agreement().give_up(
        Trouble{Broken::mismatch, {parent.rank(), member}, {info_of(as, own), info_of(as, theirs)}, true});
    return false;
  }
  return true;
}

}  // namespace foldlane::engine
