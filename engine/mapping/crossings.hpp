// What crosses between caches, NUMA nodes and packages when tasks exchange data: the measure of mappings.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/groups/groups.hpp"
#include "engine/mapping/grid.hpp"

namespace foldlane::engine {

/// One task sends to another.
struct Edge {
  int from;
  int to;
  std::uint64_t weight;

  bool operator==(const Edge&) const = default;
};

/// The weight of all edges whose ends do not share a cache, a NUMA node, a package.
struct Crossings {
  std::uint64_t caches = 0;
  std::uint64_t numa_nodes = 0;
  std::uint64_t packages = 0;

  bool operator==(const Crossings&) const = default;
  /// An edge costs one for each border that it crosses.
  std::uint64_t cost() const { return caches + numa_nodes + packages; }
  /// It costs less, and on no level does more cross.
  bool improves(const Crossings& other) const;
};

/// `members`: where each task is, a position in `seats`.
Crossings crossings_of(std::span<const Edge> edges, std::span<const int> members,
                       std::span<const Seat> seats);

/// Each cell sends 1 to both its neighbours in each dimension, as far as there are any.
std::vector<Edge> edges_of(const Grid& grid);

}  // namespace foldlane::engine
