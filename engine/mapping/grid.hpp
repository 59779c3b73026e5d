// A Cartesian grid of cells, numbered in row-major order: the last coordinate counts fastest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace foldlane::engine {

struct Dimension {
  int extent = 1;  // positive
  bool is_periodic = false;

  bool operator==(const Dimension&) const = default;
};

/// Without dimensions it has one cell.
struct Grid {
  std::vector<Dimension> dimensions;

  int cells() const;
  std::vector<int> coordinates_of(int cell) const;
  int coordinate_of(int cell, std::size_t dimension) const;
  /// The cell with these coordinates, of which those in periodic dimensions may be any number.
  int cell_at(std::span<const int> coordinates) const;
  /// So many cells further along a dimension; nothing beyond the end of one that is not periodic.
  std::optional<int> neighbour_of(int cell, std::size_t dimension, std::int64_t distance) const;
};

}  // namespace foldlane::engine
