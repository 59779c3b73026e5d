// What each node has of some bytes, in which one's stand behind the other's. Hosts count them by integers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace foldlane::host {

class Parts {
 public:
  explicit Parts(std::vector<int> bytes) : bytes_(std::move(bytes)), starts_(bytes_.size()) {
    for (std::size_t node = 1; node < bytes_.size(); ++node)
      starts_[node] = starts_[node - 1] + bytes_[node - 1];
  }

  /// Of the same bytes.
  static Parts prefixes(std::vector<int> bytes) {
    Parts parts(std::move(bytes));
    std::fill(parts.starts_.begin(), parts.starts_.end(), 0);
    return parts;
  }

  const int* all_bytes() const noexcept { return bytes_.data(); }
  const int* all_starts() const noexcept { return starts_.data(); }
  int bytes(int node) const noexcept { return bytes_[static_cast<std::size_t>(node)]; }
  int start(int node) const noexcept { return starts_[static_cast<std::size_t>(node)]; }
  std::size_t total() const noexcept {
    return static_cast<std::size_t>(std::accumulate(bytes_.begin(), bytes_.end(), 0));
  }

 private:
  std::vector<int> bytes_;
  std::vector<int> starts_;
};

}  // namespace foldlane::host
