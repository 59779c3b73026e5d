// The topology of a communicator: which ranks exchange data, as the program has said.
#pragma once

#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "engine/mapping/grid.hpp"

namespace foldlane::api {

using Cartesian = engine::Grid;  // its cells are the ranks

/// Every rank knows all of it.
struct Graph {
  std::vector<int> index;  // by rank: where the neighbours of the next one begin
  std::vector<int> edges;

  std::span<const int> neighbours_of(int rank) const {
    const auto at = static_cast<std::size_t>(rank);
    const auto first = rank == 0 ? std::size_t{0} : static_cast<std::size_t>(index[at - 1]);
    return std::span(edges).subspan(first, static_cast<std::size_t>(index[at]) - first);
  }
};

/// What this rank knows: its own neighbours.
struct DistGraph {
  struct Side {
    std::vector<int> ranks;
    std::vector<int> weights;  // as many, or none

    void add(int rank, int weight, bool is_weighted) {
      ranks.push_back(rank);
      if (is_weighted) weights.push_back(weight);
    }
  };

  bool is_weighted = false;
  Side sources;
  Side destinations;
};

using Topology = std::variant<Cartesian, Graph, DistGraph>;

/// Shared with the duplicates of a communicator. Null: it has none.
using TopologyRef = std::shared_ptr<const Topology>;

/// From whom a rank receives and to whom it sends in calls about neighbours, in MPI's order. In a Cartesian
/// topology it is the ranks before and behind it in each dimension, MPI_PROC_NULL where that ends.
struct Neighbours {
  std::vector<int> sources;
  std::vector<int> destinations;
};

/// `rank` is the calling one, unless everybody knows the topology.
Neighbours neighbours_of(const Topology& topology, int rank);

}  // namespace foldlane::api
