#include "engine/mapping/crossings.hpp"

namespace foldlane::engine {

bool Crossings::improves(const Crossings& other) const {
  return cost() < other.cost() && caches <= other.caches && numa_nodes <= other.numa_nodes &&
         packages <= other.packages;
}

Crossings crossings_of(std::span<const Edge> edges, std::span<const int> members,
                       std::span<const Seat> seats) {
  const auto seat_of = [&](int task) -> const Seat& {
    return seats[static_cast<std::size_t>(members[static_cast<std::size_t>(task)])];
  };
  Crossings crossings;
  for (const Edge& edge : edges) {
    const Seat &from = seat_of(edge.from), &to = seat_of(edge.to);
    if (from.llc != to.llc) crossings.caches += edge.weight;
    if (from.numa != to.numa) crossings.numa_nodes += edge.weight;
    if (from.package != to.package) crossings.packages += edge.weight;
  }
  return crossings;
}

std::vector<Edge> edges_of(const Grid& grid) {
  std::vector<Edge> edges;
  const int cells = grid.cells();
  for (int cell = 0; cell < cells; ++cell)
    for (std::size_t dimension = 0; dimension < grid.dimensions.size(); ++dimension)
      for (const int distance : {-1, 1})
        if (const auto neighbour = grid.neighbour_of(cell, dimension, distance))
          edges.push_back({cell, *neighbour, 1});
  return edges;
}

}  // namespace foldlane::engine
