// Where an edge stands in the list of its other end.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>

namespace foldlane::engine {

/// The other end has no such edge.
inline constexpr std::uint32_t kOneSided = 0xffffffff;

/// Of the edges of one side of a rank, which are asked for in their order. What a rank gives another one
/// first that one gets first.
class EdgeFinder {
 public:
  explicit EdgeFinder(int own) noexcept : own_(own) {}

  /// The next edge with `peer`, whose list of the other side this is. kOneSided if that has fewer of them.
  std::uint32_t find(int peer, std::span<const int> list) {
    std::size_t& behind = behind_[peer];
    const auto from = list.begin() + static_cast<std::ptrdiff_t>(std::min(behind, list.size()));
    const auto place = static_cast<std::size_t>(std::find(from, list.end(), own_) - list.begin());
    behind = place + 1;
    return place < list.size() ? static_cast<std::uint32_t>(place) : kOneSided;
  }

 private:
  int own_;
  std::unordered_map<int, std::size_t> behind_;  // by peer: the place behind its last edge
};

}  // namespace foldlane::engine
