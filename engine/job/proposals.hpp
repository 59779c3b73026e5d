// What the members of a team say about a new one that some of them are to found.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/team/team.hpp"

namespace foldlane::engine {

inline constexpr std::int64_t kNoId = -1;
/// By the leader of a new team.
struct Offer {
  std::int64_t id;  // negative: none was left
  std::uint64_t first_epoch;
};

struct Proposal {
  Offer offer;
  std::uint64_t members;  // hash_of() those of the new team
};

std::uint64_t hash_of(const std::vector<int>& members);

/// Whether all that this member takes for its peers say the same (`all`, by member of the parent); if not,
/// all of those draw this conclusion, and the parent is given up.
bool agree(Team& parent, const std::vector<int>& members, const std::vector<Proposal>& all, Call as);

}  // namespace foldlane::engine
