#include "api/objects/topology.hpp"

#include <utility>

namespace foldlane::api {
namespace {

Neighbourhood::Side in_order(std::span<const int> ranks) {
  Neighbourhood::Side side{static_cast<int>(ranks.size())};
  for (const int rank : ranks) side.neighbours.push_back({rank, static_cast<int>(side.neighbours.size())});
  return side;
}

struct Find {
  int rank;

  /// What goes to the one before comes from the one behind. Where both are the same, each dimension of its
  /// sources is in reverse.
  Neighbourhood operator()(const Cartesian& grid) const {
    Neighbourhood found;
    for (std::size_t dimension = 0; dimension < grid.dimensions.size(); ++dimension) {
      for (const bool is_behind : {false, true}) {
        add(found.destinations, grid, dimension, is_behind);
        add(found.sources, grid, dimension, !is_behind);
      }
    }
    return found;
  }
  Neighbourhood operator()(const Graph& graph) const {
    const Neighbourhood::Side both = in_order(graph.neighbours_of(rank));
    return {both, both};
  }
  Neighbourhood operator()(const DistGraph& graph) const {
    return {in_order(graph.sources.ranks), in_order(graph.destinations.ranks)};
  }

 private:
  void add(Neighbourhood::Side& side, const Cartesian& grid, std::size_t dimension, bool is_behind) const {
    ++side.blocks;
    const auto neighbour = grid.neighbour_of(rank, dimension, is_behind ? 1 : -1);
    const int block = 2 * static_cast<int>(dimension) + (is_behind ? 1 : 0);
    if (neighbour) side.neighbours.push_back({*neighbour, block});
  }
};

}  // namespace

Topology::Topology(TopologyGraph whole, int own_rank)
    : graph(std::move(whole)), neighbourhood(std::visit(Find{own_rank}, graph)) {}

}  // namespace foldlane::api
