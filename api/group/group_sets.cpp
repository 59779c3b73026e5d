#include "api/group/group_sets.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace foldlane::api {

Positions::Positions(const std::vector<int>& ranks) {
  if (ranks.empty()) return;
  position_.assign(static_cast<std::size_t>(*std::max_element(ranks.begin(), ranks.end())) + 1, -1);
  int position = 0;
  for (const int rank : ranks) position_[static_cast<std::size_t>(rank)] = position++;
}

std::optional<int> Positions::of(int rank) const noexcept {
  const auto index = static_cast<std::size_t>(rank);
  if (index >= position_.size() || position_[index] < 0) return std::nullopt;
  return position_[index];
}

bool same_members(const std::vector<int>& left, const std::vector<int>& right) {
  if (left.size() != right.size()) return false;
  const Positions in_left(left);
  return std::all_of(right.begin(), right.end(), [&](int rank) { return in_left.has(rank); });
}

std::vector<int> united(const std::vector<int>& left, const std::vector<int>& right) {
  std::vector<int> result = left;
  const std::vector<int> more = without(right, left);
  result.insert(result.end(), more.begin(), more.end());
  return result;
}

std::vector<int> intersected(const std::vector<int>& left, const std::vector<int>& right) {
  std::vector<int> result;
  const Positions in_right(right);
  std::copy_if(left.begin(), left.end(), std::back_inserter(result),
               [&](int rank) { return in_right.has(rank); });
  return result;
}

std::vector<int> without(const std::vector<int>& left, const std::vector<int>& right) {
  std::vector<int> result;
  const Positions in_right(right);
  std::remove_copy_if(left.begin(), left.end(), std::back_inserter(result),
                      [&](int rank) { return in_right.has(rank); });
  return result;
}

}  // namespace foldlane::api
