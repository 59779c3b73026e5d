// What can be asked about a Cartesian topology.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "api/core/calls.hpp"
#include "api/errors/args.hpp"
#include "api/topology/lookup.hpp"

namespace foldlane::api {
namespace {

Asked<Cartesian> check_cartesian(MPI_Comm comm) { return check_topology<Cartesian>(comm, "Cartesian"); }

void check_coordinates(const Cartesian& grid, const int* coords) {
  if (!grid.dimensions.empty()) check_output(coords, "coords");
  for (std::size_t at = 0; at < grid.dimensions.size(); ++at) {
    const auto& [extent, is_periodic] = grid.dimensions[at];
    if (is_periodic || (coords[at] >= 0 && coords[at] < extent)) continue;
    fail(MPI_ERR_ARG, fmt::format("coords[{}] is {}; in this dimension, which is not periodic, the "
                                  "coordinates are 0 to {}",
                                  at, coords[at], extent - 1));
  }
}

}  // namespace

int cartdim_get(Call call, MPI_Comm comm, int* ndims) {
  return run(call, comm, [&] {
    const auto [communicator, grid] = check_cartesian(comm);
    *check_output(ndims, "ndims") = static_cast<int>(grid.dimensions.size());
  });
}

int cart_get(Call call, MPI_Comm comm, int maxdims, int dims[], int periods[], int coords[]) {
  return run(call, comm, [&] {
    const auto [communicator, grid] = check_cartesian(comm);
    check_room(maxdims, grid.dimensions.size(), "maxdims", "dimensions");
    if (grid.dimensions.empty()) return;
    check_output(dims, "dims");
    check_output(periods, "periods");
    check_output(coords, "coords");
    const std::vector<int> own = grid.coordinates_of(communicator.rank());
    std::copy(own.begin(), own.end(), coords);
    for (const auto& [extent, is_periodic] : grid.dimensions) {
      *dims++ = extent;
      *periods++ = is_periodic ? 1 : 0;
    }
  });
}

int cart_rank(Call call, MPI_Comm comm, const int coords[], int* rank) {
  return run(call, comm, [&] {
    const auto [communicator, grid] = check_cartesian(comm);
    check_coordinates(grid, coords);
    *check_output(rank, "rank") = grid.cell_at({coords, grid.dimensions.size()});
  });
}

int cart_coords(Call call, MPI_Comm comm, int rank, int maxdims, int coords[]) {
  return run(call, comm, [&] {
    const auto [communicator, grid] = check_cartesian(comm);
    check_member(rank, communicator.size());
    check_room(maxdims, grid.dimensions.size(), "maxdims", "dimensions");
    if (grid.dimensions.empty()) return;
    const std::vector<int> found = grid.coordinates_of(rank);
    std::copy(found.begin(), found.end(), check_output(coords, "coords"));
  });
}

int cart_shift(Call call, MPI_Comm comm, int direction, int disp, int* rank_source, int* rank_dest) {
  return run(call, comm, [&] {
    const auto [communicator, grid] = check_cartesian(comm);
    const auto count = static_cast<int>(grid.dimensions.size());
    if (count == 0) fail(MPI_ERR_DIMS, "the topology has no dimension to shift along");
    if (direction < 0 || direction >= count)
      fail(MPI_ERR_DIMS, fmt::format("direction is {}; the dimensions are 0 to {}", direction, count - 1));
    check_output(rank_source, "rank_source");
    check_output(rank_dest, "rank_dest");
    const auto neighbour = [&, &grid = grid, own = communicator.rank()](std::int64_t distance) {
      return grid.neighbour_of(own, static_cast<std::size_t>(direction), distance).value_or(MPI_PROC_NULL);
    };
    *rank_source = neighbour(-std::int64_t{disp});
    *rank_dest = neighbour(disp);
  });
}

}  // namespace foldlane::api
