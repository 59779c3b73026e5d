// A vector divided into one contiguous share per member, and each share into equal pieces, one per chunk. All
// arithmetic of counts lives here; everything is 64-bit elements.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/data/block_counts.hpp"

namespace foldlane::engine {

struct Piece {
  std::size_t start;  // element of the vector
  std::size_t count;
};

class Shares {
 public:
  /// Equal shares, their boundaries on whole lines as far as the element size allows.
  static Shares equal(std::size_t count, int members, std::size_t elem_bytes) {
    const std::size_t granule = std::max<std::size_t>(1, 64 / elem_bytes);
    const std::size_t granules = (count + granule - 1) / granule;
    const auto parts = static_cast<std::size_t>(members);
    Shares shares(members);
    for (std::size_t m = 0; m <= parts; ++m) {
      // granules * m may not fit 64 bits; quotient and remainder do.
      const std::size_t whole = granules / parts * m + granules % parts * m / parts;
      shares.starts_.push_back(std::min(count, whole * granule));
    }
    return shares;
  }

  static Shares blocks(const BlockCounts& counts, int members) {
    Shares shares(members);
    shares.starts_.push_back(0);
    for (int m = 0; m < members; ++m) {
      shares.starts_.push_back(shares.starts_.back() + static_cast<std::size_t>(counts[m]));
    }
    return shares;
  }

  int members() const { return static_cast<int>(starts_.size()) - 1; }
  std::size_t total() const { return starts_.back(); }
  std::size_t start(int member) const { return starts_[static_cast<std::size_t>(member)]; }
  std::size_t count(int member) const { return start(member + 1) - start(member); }
  Piece of(int member) const { return {start(member), count(member)}; }

  std::size_t largest() const {
    std::size_t most = 0;
    for (std::size_t m = 1; m < starts_.size(); ++m) most = std::max(most, starts_[m] - starts_[m - 1]);
    return most;
  }

  /// Part `chunk` of a member's share, cut into pieces of `piece_count` elements; empty past its end.
  Piece piece(int member, std::uint64_t chunk, std::size_t piece_count) const {
    const std::size_t offset = std::min<std::size_t>(count(member), chunk * piece_count);
    return {start(member) + offset, std::min(piece_count, count(member) - offset)};
  }

 private:
  explicit Shares(int members) { starts_.reserve(static_cast<std::size_t>(members) + 1); }

  std::vector<std::size_t> starts_;  // members + 1 of them
};

}  // namespace foldlane::engine
