// MPI_Cart_create, MPI_Cart_map, MPI_Cart_sub.
#include <fmt/format.h>

#include <utility>
#include <vector>

#include "api/comm/sole_call.hpp"
#include "api/core/calls.hpp"
#include "api/errors/args.hpp"
#include "api/topology/lookup.hpp"
#include "api/topology/new_topology.hpp"
#include "engine/mapping/mapping.hpp"

namespace foldlane::api {
namespace {

/// Throws MPI_ERR_DIMS unless there is a rank for each cell.
Cartesian check_grid(const Communicator& communicator, int ndims, const int* dims, const int* periods) {
  if (ndims < 0) fail(MPI_ERR_DIMS, fmt::format("ndims is {}; it must not be negative", ndims));
  if (ndims > 0) check_output(dims, "dims");
  if (ndims > 0) check_output(periods, "periods");
  Cartesian grid;
  std::int64_t cells = 1;
  for (int at = 0; at < ndims; ++at) {
    if (dims[at] <= 0) fail(MPI_ERR_DIMS, fmt::format("dims[{}] is {}; it must be positive", at, dims[at]));
    cells *= dims[at];
    if (cells > communicator.size()) {
      fail(MPI_ERR_DIMS, fmt::format("the first {} of dims ask for {} ranks, but the communicator has {}",
                                     at + 1, cells, communicator.size()));
    }
    grid.dimensions.push_back({dims[at], periods[at] != 0});
  }
  return grid;
}

/// By cell.
std::vector<int> ranks_of(const Cartesian& grid, const Communicator& communicator, bool reorder) {
  if (!reorder) return in_order(grid.cells());
  return engine::map_grid(grid, seats_of(communicator)).members;
}

engine::CallInfo call_of(const Cartesian& grid, bool reorder) {
  std::vector<int> arguments{reorder ? 1 : 0};
  for (const auto& [extent, is_periodic] : grid.dimensions) {
    arguments.push_back(extent);
    arguments.push_back(is_periodic ? 1 : 0);
  }
  return founding_call(engine::Call::grid, arguments);
}

/// The cells that share with `cell` the coordinates in the dimensions that are not kept.
std::vector<int> slice_of(const Cartesian& grid, int cell, const int* remain_dims) {
  const auto shares = [&](int other) {
    for (std::size_t at = 0; at < grid.dimensions.size(); ++at)
      if (remain_dims[at] == 0 && grid.coordinate_of(other, at) != grid.coordinate_of(cell, at)) return false;
    return true;
  };
  std::vector<int> cells;
  for (int other = 0; other < grid.cells(); ++other)
    if (shares(other)) cells.push_back(other);
  return cells;
}

MPI_Comm create_slice(const Communicator& from, const Cartesian& grid, const int* remain_dims) {
  Cartesian kept;
  std::vector<int> arguments;
  for (std::size_t at = 0; at < grid.dimensions.size(); ++at) {
    arguments.push_back(remain_dims[at] != 0 ? 1 : 0);
    if (remain_dims[at] != 0) kept.dimensions.push_back(grid.dimensions[at]);
  }
  return new_topology(from, slice_of(grid, from.rank(), remain_dims),
                      founding_call(engine::Call::subgrid, arguments), std::move(kept));
}

}  // namespace

int cart_create(Call call, MPI_Comm comm_old, int ndims, const int dims[], const int periods[], int reorder,
                MPI_Comm* comm_cart) {
  return run(call, comm_old, [&] {
    const Communicator& from = check_intra(comm_old);
    Cartesian grid = check_grid(from, ndims, dims, periods);
    check_output(comm_cart, "comm_cart");
    const SoleCall sole(call, comm_old);
    const std::vector<int> ranks = ranks_of(grid, from, reorder != 0);
    const engine::CallInfo as = call_of(grid, reorder != 0);
    *comm_cart = new_topology(from, ranks, as, std::move(grid));
  });
}

int cart_map(Call call, MPI_Comm comm, int ndims, const int dims[], const int periods[], int* newrank) {
  return run(call, comm, [&] {
    const Communicator& communicator = check_intra(comm);
    const Cartesian grid = check_grid(communicator, ndims, dims, periods);
    *check_output(newrank, "newrank") = position_of(communicator.rank(), ranks_of(grid, communicator, true));
  });
}

int cart_sub(Call call, MPI_Comm comm, const int remain_dims[], MPI_Comm* newcomm) {
  return run(call, comm, [&] {
    const auto [from, grid] = check_topology<Cartesian>(comm, "Cartesian");
    if (!grid.dimensions.empty()) check_output(remain_dims, "remain_dims");
    check_output(newcomm, "newcomm");
    const SoleCall sole(call, comm);
    *newcomm = create_slice(from, grid, remain_dims);
  });
}

}  // namespace foldlane::api
