// How the probe divides a vector for the calls that scatter it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

namespace foldlane::bench {

/// The first element of a rank's share, and how many it has: the first ranks have one more if it must be.
inline std::pair<std::uint64_t, std::uint64_t> share_of_rank(std::uint64_t count, int ranks, int rank) {
  const auto all = static_cast<std::uint64_t>(ranks), r = static_cast<std::uint64_t>(rank);
  const std::uint64_t rest = count % all;
  return {r * (count / all) + std::min(r, rest), count / all + (r < rest ? 1 : 0)};
}

}  // namespace foldlane::bench
