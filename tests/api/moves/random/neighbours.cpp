#include "neighbours.hpp"

#include "moves/neighbourhoods.hpp"
#include "support/which_calls.hpp"

namespace foldlane::moves {
namespace {

using testing::Edge;
using testing::Neighbourhood;

Circle circle_of_neighbours(const Neighbourhood& drawn) {
  Circle circle = circle_of(drawn.name, drawn.comm);
  circle.has_topology = true;
  circle.sources.resize(static_cast<std::size_t>(drawn.sources));
  circle.destinations.resize(static_cast<std::size_t>(drawn.destinations));
  int number = 0;
  for (const Edge& edge : drawn.edges) {
    ++number;
    if (edge.to == circle.rank)
      testing::at(circle.sources, edge.to_block) = {testing::at(circle.own, edge.from), number};
    if (edge.from == circle.rank)
      testing::at(circle.destinations, edge.from_block) = {testing::at(circle.own, edge.to), number};
  }
  return circle;
}

/// Of one to three dimensions, each of which has a divisor of what is left.
testing::Grid draw_grid(testing::Draw& draw, int cells) {
  testing::Grid grid;
  for (int left = draw(3); left > 0; --left) {
    int extent = draw(cells) + 1;
    while (cells % extent != 0) --extent;
    grid.dims.push_back(extent);
    cells /= extent;
  }
  grid.dims.push_back(cells);
  for (std::size_t d = 0; d < grid.dims.size(); ++d) grid.periods.push_back(draw(2));
  return grid;
}

}  // namespace

Topologies::Topologies(matching::Random& random) {
  if (!testing::kMovesAmongNeighbours) return;
  const int size = testing::size_of(MPI_COMM_WORLD);
  testing::Draw draw(static_cast<std::uint32_t>(random.next()));
  const testing::Grid grid = draw_grid(draw, size);
  const int edges = draw(3 * size);
  const bool reorder = draw(2) == 0;
  all_.push_back(circle_of_neighbours(testing::make_cart(grid, reorder)));
  all_.push_back(circle_of_neighbours(testing::make_graph(edges, !reorder, draw)));
  all_.push_back(circle_of_neighbours(testing::make_dist_graph(edges, reorder, draw)));
}

Topologies::~Topologies() {
  for (Circle& circle : all_) MPI_Comm_free(&circle.comm);
}

}  // namespace foldlane::moves
