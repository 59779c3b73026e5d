// Set operations on lists of ranks. A list holds no rank twice; every operation is linear in the lengths of
// its lists and the largest rank.
#pragma once

#include <optional>
#include <vector>

namespace foldlane::api {

/// Where each rank stands in a list.
class Positions {
 public:
  explicit Positions(const std::vector<int>& ranks);

  bool has(int rank) const noexcept { return of(rank).has_value(); }
  std::optional<int> of(int rank) const noexcept;

 private:
  std::vector<int> position_;  // by rank; -1: not in the list
};

bool same_members(const std::vector<int>& left, const std::vector<int>& right);

/// The order of the results is that of `left`; what only `right` has follows in its order.
std::vector<int> united(const std::vector<int>& left, const std::vector<int>& right);
std::vector<int> intersected(const std::vector<int>& left, const std::vector<int>& right);
std::vector<int> without(const std::vector<int>& left, const std::vector<int>& right);

}  // namespace foldlane::api
