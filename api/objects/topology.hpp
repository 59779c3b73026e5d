// The topology of a communicator: which ranks exchange data, as the program has said.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "engine/mapping/grid.hpp"
#include "engine/moves/neighbours/neighbour_rows.hpp"

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

/// From whom a rank receives and to whom it sends in neighbourhood collectives (MPI-5.0, 8.6). The blocks of
/// a buffer are in MPI's order: in a Cartesian grid those before and behind in each dimension.
struct Neighbourhood {
  struct Side {
    int blocks = 0;  // one for MPI_PROC_NULL, too
    /// What a rank gives another one first, that one gets first. MPI_PROC_NULL is none.
    std::vector<engine::Neighbour> neighbours{};
    std::vector<engine::Neighbour> one_sided{};  // which do not know of this rank
  };

  Side sources;
  Side destinations;
};

using TopologyGraph = std::variant<Cartesian, Graph, DistGraph>;

/// As `rank` sees it. Of a distributed graph nobody knows yet where edges stand at their other ends, and none
/// counts as one-sided.
Neighbourhood neighbourhood_of(const TopologyGraph& graph, int rank);

struct Topology {
  /// `own` has all edges among its neighbours; those with kOneSided are the one-sided ones.
  Topology(TopologyGraph whole, Neighbourhood own);

  bool has_one_sided() const noexcept {
    return !neighbourhood.sources.one_sided.empty() || !neighbourhood.destinations.one_sided.empty();
  }

  TopologyGraph graph;
  Neighbourhood neighbourhood;
  /// The most blocks that this rank, or one that it takes from, shows in a call that has one for each edge.
  /// 0: there are none, their takers do not know of them, or an edge is one-sided.
  std::uint32_t most_shown = 0;
};

/// Shared with the duplicates of a communicator. Null: it has none.
using TopologyRef = std::shared_ptr<const Topology>;

}  // namespace foldlane::api
