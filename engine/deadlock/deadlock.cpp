#include "engine/deadlock/deadlock.hpp"

#include <algorithm>
#include <bit>

namespace foldlane::engine {

bool RankSet::empty() const noexcept {
  return std::all_of(words_.begin(), words_.end(), [](std::uint64_t word) { return word == 0; });
}

bool RankSet::is_within(const RankSet& other) const noexcept {
  for (std::size_t i = 0; i < words_.size(); ++i)
    if ((words_[i] & ~other.words_[i]) != 0) return false;
  return true;
}

std::vector<int> RankSet::list() const {
  std::vector<int> ranks;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    for (std::uint64_t bits = words_[i]; bits != 0; bits &= bits - 1)
      ranks.push_back(static_cast<int>(i) * kBits + std::countr_zero(bits));
  }
  return ranks;
}

std::vector<int> find_deadlock(const std::vector<RankStanding>& ranks) {
  using Kind = RankStanding::Kind;
  RankSet stuck(static_cast<int>(ranks.size()));  // what ranks that have ended are, too
  std::vector<int> waiting;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    if (ranks[rank].kind != Kind::runs) stuck.add(static_cast<int>(rank));
    if (ranks[rank].kind == Kind::waits) waiting.push_back(static_cast<int>(rank));
  }
  const auto may_be_released = [&](int rank) {
    if (ranks[static_cast<std::size_t>(rank)].awaited.is_within(stuck)) return false;
    stuck.remove(rank);
    return true;
  };
  // In both directions by turns: long chains mostly are in the order of the ranks, one way or the other.
  while (std::erase_if(waiting, may_be_released) > 0) std::reverse(waiting.begin(), waiting.end());
  std::sort(waiting.begin(), waiting.end());
  return waiting;
}

}  // namespace foldlane::engine
