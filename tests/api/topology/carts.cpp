// Cartesian topologies, against a plain grid.
#include <algorithm>
#include <functional>

#include "topology/topology_world.hpp"

namespace {

/// A plain one, to compare with.
struct Grid {
  Ints dims, periods;

  int dimensions() const { return length(dims); }
  int cells() const { return std::accumulate(dims.begin(), dims.end(), 1, std::multiplies<>()); }
  Ints coordinates(int rank) const {
    Ints coordinates(dims.size());
    for (std::size_t at = dims.size(); at-- > 0; rank /= dims[at]) coordinates[at] = rank % dims[at];
    return coordinates;
  }
  int rank_at(Ints coordinates) const {
    int rank = 0;
    for (std::size_t at = 0; at < dims.size(); ++at) {
      const int extent = dims[at];
      if (periods[at] == 0 && (coordinates[at] < 0 || coordinates[at] >= extent)) return MPI_PROC_NULL;
      rank = rank * extent + ((coordinates[at] % extent) + extent) % extent;
    }
    return rank;
  }
  int shifted(int rank, std::size_t dimension, int distance) const {
    Ints coordinates = this->coordinates(rank);
    coordinates[dimension] += distance;
    return rank_at(coordinates);
  }
};

void check_coordinates(MPI_Comm comm, const Grid& grid) {
  Ints coordinates(grid.dims.size() + 1, -7);
  for (int rank = 0; rank < grid.cells(); ++rank) {
    expect(MPI_Cart_coords(comm, rank, grid.dimensions(), coordinates.data()) == MPI_SUCCESS);
    expect(coordinates.back() == -7);
    const Ints right = grid.coordinates(rank);
    expect(std::equal(right.begin(), right.end(), coordinates.begin()));
    int found = -1;
    for (std::size_t at = 0; at < grid.dims.size(); ++at)
      if (grid.periods[at] != 0) coordinates[at] += (rank % 5 - 2) * grid.dims[at];
    expect(MPI_Cart_rank(comm, coordinates.data(), &found) == MPI_SUCCESS && found == rank);
  }
}

void check_shifts(MPI_Comm comm, const Grid& grid) {
  const int rank = rank_in(comm);
  for (int dimension = 0; dimension < grid.dimensions(); ++dimension) {
    for (const int distance : {1, -1, 0, 2, -3, 7, 1000}) {
      int from = -5, to = -5;
      expect(MPI_Cart_shift(comm, dimension, distance, &from, &to) == MPI_SUCCESS);
      expect(to == grid.shifted(rank, static_cast<std::size_t>(dimension), distance));
      expect(from == grid.shifted(rank, static_cast<std::size_t>(dimension), -distance));
    }
    // What comes from there is what was sent: all ranks have the same picture.
    int from = -5, to = -5, got = MPI_PROC_NULL;
    MPI_Cart_shift(comm, dimension, 1, &from, &to);
    MPI_Sendrecv(&rank, 1, MPI_INT, to, 3, &got, 1, MPI_INT, from, 3, comm, MPI_STATUS_IGNORE);
    expect(got == from);
  }
}

void check_grid(MPI_Comm comm, const Grid& grid) {
  int dimensions = -1;
  expect(topology_of(comm) == MPI_CART && size_of(comm) == grid.cells());
  expect(MPI_Cartdim_get(comm, &dimensions) == MPI_SUCCESS && dimensions == grid.dimensions());
  Ints dims(grid.dims.size() + 1, -7), periods = dims, coordinates = dims;
  expect(MPI_Cart_get(comm, dimensions, dims.data(), periods.data(), coordinates.data()) == MPI_SUCCESS);
  const Ints own = grid.coordinates(rank_in(comm));
  expect(std::equal(grid.dims.begin(), grid.dims.end(), dims.begin()) && dims.back() == -7);
  expect(std::equal(grid.periods.begin(), grid.periods.end(), periods.begin()) && periods.back() == -7);
  expect(std::equal(own.begin(), own.end(), coordinates.begin()) && coordinates.back() == -7);
  check_coordinates(comm, grid);
  check_shifts(comm, grid);
}

/// In every direction that can be left out.
void check_slices(MPI_Comm comm, const Grid& grid) {
  for (unsigned kept = 0; kept < 1U << grid.dims.size(); ++kept) {
    Ints remain(grid.dims.size());
    Grid slice;
    Ints own = grid.coordinates(rank_in(comm));
    int first = rank_in(comm);  // of those in this slice
    for (std::size_t at = 0; at < remain.size(); ++at) {
      if ((kept >> at & 1U) == 0) continue;
      remain[at] = 4;
      slice.dims.push_back(grid.dims[at]);
      slice.periods.push_back(grid.periods[at]);
      own[at] = 0;
    }
    first = grid.rank_at(own);
    MPI_Comm made = MPI_COMM_NULL;
    expect(MPI_Cart_sub(comm, remain.data(), &made) == MPI_SUCCESS);
    check_grid(made, slice);
    int lowest = rank_in(comm);
    MPI_Allreduce(MPI_IN_PLACE, &lowest, 1, MPI_INT, MPI_MIN, made);
    expect(lowest == first);
    MPI_Comm_free(&made);
  }
}

void check_cart(const Grid& grid, bool reorder) {
  MPI_Comm comm = MPI_COMM_SELF;
  int mapped = -5;
  expect(MPI_Cart_create(MPI_COMM_WORLD, grid.dimensions(), grid.dims.data(), grid.periods.data(),
                         reorder ? 9 : 0, &comm) == MPI_SUCCESS);
  expect(MPI_Cart_map(MPI_COMM_WORLD, grid.dimensions(), grid.dims.data(), grid.periods.data(), &mapped) ==
         MPI_SUCCESS);
  const bool inside = comm != MPI_COMM_NULL;
  expect(sum_over(MPI_COMM_WORLD, inside ? 1 : 0) == grid.cells());
  expect(!reorder || mapped == (inside ? rank_in(comm) : MPI_UNDEFINED));
  expect(reorder || inside == (rank_in(MPI_COMM_WORLD) < grid.cells()));
  if (!inside) return;
  expect(reorder || rank_in(comm) == rank_in(MPI_COMM_WORLD));
  check_grid(comm, grid);
  check_slices(comm, grid);
  MPI_Comm_free(&comm);
}

}  // namespace

void check_carts() {
  Random random(4);
  const int size = size_of(MPI_COMM_WORLD);
  check_cart({{}, {}}, false);
  check_cart({{1, 1}, {1, 0}}, true);
  check_cart({{size}, {1}}, true);
  if (size > 1) check_cart({{2, 1, size / 2}, {1, 1, 0}}, true);
  for (int trial = 0; trial < 12; ++trial) {
    Grid grid;
    for (int room = size; grid.dims.size() < 4 && draw(random, 0, 5) > 0; room /= grid.dims.back()) {
      grid.dims.push_back(draw(random, 1, room));
      grid.periods.push_back(draw(random, 0, 1));
    }
    check_cart(grid, trial % 2 == 1);
  }
}
