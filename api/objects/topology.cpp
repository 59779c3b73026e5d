#include "api/objects/topology.hpp"

#include <algorithm>
#include <utility>

#include "engine/moves/neighbours/edge_finder.hpp"

namespace foldlane::api {
namespace {

struct Find {
  int rank;

  /// What goes to the one before comes from the one behind. Where both are the same, each dimension of its
  /// sources is in reverse.
  Neighbourhood operator()(const Cartesian& grid) const {
    Neighbourhood found;
    for (std::size_t dimension = 0; dimension < grid.dimensions.size(); ++dimension) {
      for (const bool is_behind : {false, true}) {
        add(found.destinations, grid, dimension, is_behind, 0);
        add(found.sources, grid, dimension, !is_behind, 1);
      }
    }
    return found;
  }
  /// A program may have named one direction of an edge alone.
  Neighbourhood operator()(const Graph& graph) const {
    const std::span<const int> own = graph.neighbours_of(rank);
    Neighbourhood found{in_order(own), in_order(own)};
    engine::EdgeFinder edges(rank);
    for (std::size_t i = 0; i < own.size(); ++i) {
      const std::span<const int> theirs = graph.neighbours_of(own[i]);
      engine::Neighbour &source = found.sources.neighbours[i],
                        &destination = found.destinations.neighbours[i];
      source.place = edges.find(own[i], theirs);
      source.shown = static_cast<std::uint32_t>(theirs.size());
      destination.place = source.place == engine::kOneSided ? source.place : static_cast<std::uint32_t>(i);
      destination.shown = static_cast<std::uint32_t>(own.size());
    }
    return found;
  }
  Neighbourhood operator()(const DistGraph& graph) const {
    return {in_order(graph.sources.ranks), in_order(graph.destinations.ranks)};
  }

 private:
  static Neighbourhood::Side in_order(std::span<const int> ranks) {
    Neighbourhood::Side side{static_cast<int>(ranks.size())};
    for (const int each : ranks)
      side.neighbours.push_back({each, static_cast<int>(side.neighbours.size()), 0, 0});
    return side;
  }
  /// `turned`: the bit that tells the place of a block at its giver from its own.
  void add(Neighbourhood::Side& side, const Cartesian& grid, std::size_t dimension, bool is_behind,
           unsigned turned) const {
    ++side.blocks;
    const auto neighbour = grid.neighbour_of(rank, dimension, is_behind ? 1 : -1);
    if (!neighbour) return;
    const auto block = 2 * static_cast<unsigned>(dimension) + (is_behind ? 1U : 0U);
    side.neighbours.push_back({*neighbour, static_cast<int>(block), block ^ turned,
                               2 * static_cast<std::uint32_t>(grid.dimensions.size())});
  }
};

void set_one_sided_apart(Neighbourhood::Side& side) {
  const auto is_matched = [](const engine::Neighbour& edge) { return edge.place != engine::kOneSided; };
  const auto end = std::stable_partition(side.neighbours.begin(), side.neighbours.end(), is_matched);
  side.one_sided.assign(end, side.neighbours.end());
  side.neighbours.erase(end, side.neighbours.end());
}

Neighbourhood with_one_sided_apart(Neighbourhood own) {
  set_one_sided_apart(own.sources);
  set_one_sided_apart(own.destinations);
  return own;
}

std::uint32_t most_shown_in(const Neighbourhood& own) {
  std::uint32_t most = 0;
  for (const auto* side : {&own.sources, &own.destinations}) {
    for (const engine::Neighbour& edge : side->neighbours) {
      if (edge.shown == 0) return 0;
      most = std::max(most, edge.shown);
    }
  }
  return most;
}

}  // namespace

Neighbourhood neighbourhood_of(const TopologyGraph& graph, int rank) { return std::visit(Find{rank}, graph); }

Topology::Topology(TopologyGraph whole, Neighbourhood own)
    : graph(std::move(whole)),
      neighbourhood(with_one_sided_apart(std::move(own))),
      most_shown(has_one_sided() ? 0 : most_shown_in(neighbourhood)) {}

}  // namespace foldlane::api
