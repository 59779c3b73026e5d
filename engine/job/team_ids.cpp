#include "engine/job/team_ids.hpp"

#include <algorithm>

namespace foldlane::engine {

std::optional<TeamId> TeamIds::take() noexcept {
  // The lowest free id, so that few lines are ever committed. Id 0 is the world's and always in use.
  for (std::size_t id = 1; id < words_.size(); ++id) {
    const std::uint64_t seen = words_[id].peek();
    if ((seen & 1) != 0 || !words_[id].claim(seen, seen | 1)) continue;
    return TeamId{static_cast<int>(id), std::max<std::uint64_t>(seen >> 1, 1)};
  }
  return {};
}

}  // namespace foldlane::engine
