// What the members of a node hand on of a chunk of a vector, and the memory for it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/data/shares.hpp"

namespace foldlane::host {

/// What each of so many nodes passes on at a time. Whoever gets that of all nodes has room for 8 MiB; less
/// than 64 KiB is not worth a call of the host's.
constexpr std::size_t chunk_bytes(int nodes) noexcept {
  return std::max<std::size_t>(64 << 10, (8 << 20) / static_cast<std::size_t>(nodes));
}

inline constexpr int kNobody = -1;

/// Which part of a chunk each member of a node hands on: those with a column equal ones, or one of them all.
struct Division {
  engine::Shares shares;
  int sole;  // the one; kNobody: the others have parts, too
};

/// Of a vector, in bytes: so short that sharing the work costs more than it saves.
inline constexpr std::size_t kMostForOneColumn = 8 << 10;

/// `one` has all of a short vector.
inline Division divide(std::size_t count, std::size_t elem_bytes, int members, int columns, int one) {
  const int sole = columns == 1 || count * elem_bytes <= kMostForOneColumn ? one : kNobody;
  const engine::Shares equal = engine::Shares::equal(count, columns, elem_bytes);
  std::vector<std::int64_t> counts(static_cast<std::size_t>(members));
  for (int i = 0; i < columns; ++i)
    counts[static_cast<std::size_t>(i)] = static_cast<std::int64_t>(equal.count(i));
  if (sole != kNobody) {
    std::fill(counts.begin(), counts.end(), 0);
    counts[static_cast<std::size_t>(sole)] = static_cast<std::int64_t>(count);
  }
  return {engine::Shares::blocks(engine::BlockCounts(counts.data()), members), sole};
}

/// Memory that grows when more is wanted.
class Scratch {
 public:
  std::byte* room_for(std::size_t bytes) {
    if (bytes > bytes_) {
      memory_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
      bytes_ = bytes;
    }
    return memory_.get();
  }

 private:
  std::unique_ptr<std::byte[]> memory_;
  std::size_t bytes_ = 0;
};

}  // namespace foldlane::host
