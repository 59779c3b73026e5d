#include "engine/mapping/grid.hpp"

namespace foldlane::engine {
namespace {

/// Of any number; the remainder of a negative one counts from the end.
int wrapped(std::int64_t coordinate, int extent) {
  const std::int64_t rest = coordinate % extent;
  return static_cast<int>(rest < 0 ? rest + extent : rest);
}

/// How far apart the cells are whose coordinates in `dimension` differ by one.
int stride_of(const Grid& grid, std::size_t dimension) {
  int stride = 1;
  for (std::size_t inner = dimension + 1; inner < grid.dimensions.size(); ++inner)
    stride *= grid.dimensions[inner].extent;
  return stride;
}

}  // namespace

int Grid::cells() const {
  int cells = 1;
  for (const Dimension& dimension : dimensions) cells *= dimension.extent;
  return cells;
}

int Grid::coordinate_of(int cell, std::size_t dimension) const {
  return cell / stride_of(*this, dimension) % dimensions[dimension].extent;
}

std::vector<int> Grid::coordinates_of(int cell) const {
  std::vector<int> coordinates(dimensions.size());
  for (std::size_t at = dimensions.size(); at-- > 0; cell /= dimensions[at].extent)
    coordinates[at] = cell % dimensions[at].extent;
  return coordinates;
}

int Grid::cell_at(std::span<const int> coordinates) const {
  int cell = 0;
  for (std::size_t at = 0; at < dimensions.size(); ++at)
    cell = cell * dimensions[at].extent + wrapped(coordinates[at], dimensions[at].extent);
  return cell;
}

std::optional<int> Grid::neighbour_of(int cell, std::size_t dimension, std::int64_t distance) const {
  const auto& [extent, is_periodic] = dimensions[dimension];
  const int own = coordinate_of(cell, dimension);
  const std::int64_t other = own + distance;
  if (!is_periodic && (other < 0 || other >= extent)) return {};
  return cell + (wrapped(other, extent) - own) * stride_of(*this, dimension);
}

}  // namespace foldlane::engine
