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

/// What a rank has of the last-level cache: those that take turns on a CPU take turns in its cache, too.
std::uint64_t share_of_cache(std::uint64_t llc_bytes, int ranks, int usable_cpus);

/// `cache_bytes`: a rank's share, for rotating buffers.
Places places_of(const Case& what, std::uint64_t cache_bytes);

}  // namespace foldlane::bench
