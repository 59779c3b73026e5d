#include "api/host/nodes/placement.hpp"

#include <algorithm>
#include <bit>
#include <map>

namespace foldlane::host {

Placement::Placement(std::span<const int> node_of_member) {
  std::map<int, int> numbers;
  for (std::size_t member = 0; member < node_of_member.size(); ++member) {
    const int node = numbers.emplace(node_of_member[member], nodes()).first->second;
    if (node == nodes()) members_.emplace_back();
    std::vector<int>& members = members_[static_cast<std::size_t>(node)];
    seats_.push_back({node, static_cast<int>(members.size())});
    members.push_back(static_cast<int>(member));
  }
  const auto smaller = [](const auto& a, const auto& b) { return a.size() < b.size(); };
  const auto [least, most] = std::minmax_element(members_.begin(), members_.end(), smaller);
  columns_ = static_cast<int>(least->size());
  largest_ = static_cast<int>(most->size());
  in_blocks_ = std::is_sorted(seats_.begin(), seats_.end(),
                              [](const Seat& a, const Seat& b) { return a.node < b.node; });
  is_canonical_ = in_blocks_ && has_aligned_nodes();
}

bool Placement::has_aligned_nodes() const noexcept {
  const std::size_t size = members_.front().size();
  const auto is_whole = [size](const std::vector<int>& members) { return members.size() == size; };
  return std::has_single_bit(size) && members_.back().size() <= size &&
         std::all_of(members_.begin(), members_.end() - 1, is_whole);
}

}  // namespace foldlane::host
