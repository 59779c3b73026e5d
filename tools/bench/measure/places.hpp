// Where the data of a case lie.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bench/report/report.hpp"

namespace foldlane::bench {

/// Where a case's data lie in two arenas, one of which is for input, one for results.
struct Places {
  unsigned number;  // used in turn
  std::size_t stride;
  std::size_t shift;  // of the first byte from a line's start

  std::size_t arena_bytes(std::size_t data_bytes) const { return (number - 1) * stride + shift + data_bytes; }
};

/// What one place in the input arena holds.
std::size_t input_bytes(const Case& what);

/// What a rank is taken to have of the last-level cache: all of it, unless it takes turns on a CPU. Then the
/// others fill it when it waits.
std::uint64_t share_of_cache(std::uint64_t llc_bytes, int ranks, int usable_cpus);

/// `cache_bytes`: a rank's share, for rotating buffers.
Places places_of(const Case& what, std::uint64_t cache_bytes);

}  // namespace foldlane::bench
