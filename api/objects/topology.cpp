#include "api/objects/topology.hpp"

#include <mpi.h>

namespace foldlane::api {
namespace {

struct List {
  int rank;

  Neighbours operator()(const Cartesian& grid) const {
    std::vector<int> both;
    for (std::size_t dimension = 0; dimension < grid.dimensions.size(); ++dimension)
      for (const int distance : {-1, 1})
        both.push_back(grid.neighbour_of(rank, dimension, distance).value_or(MPI_PROC_NULL));
    return {both, both};
  }
  Neighbours operator()(const Graph& graph) const {
    const std::span<const int> both = graph.neighbours_of(rank);
    return {{both.begin(), both.end()}, {both.begin(), both.end()}};
  }
  Neighbours operator()(const DistGraph& graph) const {
    return {graph.sources.ranks, graph.destinations.ranks};
  }
};

}  // namespace

Neighbours neighbours_of(const Topology& topology, int rank) { return std::visit(List{rank}, topology); }

}  // namespace foldlane::api
