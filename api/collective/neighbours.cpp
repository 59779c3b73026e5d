#include "api/collective/neighbours.hpp"

#include "api/core/failure.hpp"

namespace foldlane::api {
namespace {

const Neighbourhood& check_neighbourhood(const Communicator& communicator) {
  if (communicator.is_inter) fail(MPI_ERR_COMM, "the communicator is an intercommunicator");
  if (communicator.topology != nullptr) return communicator.topology->neighbourhood;
  fail(
      MPI_ERR_TOPOLOGY,
      "the communicator has no topology, so its ranks have no neighbours; MPI_Cart_create, MPI_Graph_create, "
      "MPI_Dist_graph_create and MPI_Dist_graph_create_adjacent make communicators that have one");
}

}  // namespace

engine::Block NeighbourBlocks::block_at(int i) const noexcept {
  const auto [rank, block] = side_.at(i);
  // In its place: to copy what has been written field by field a moment ago would wait for that.
  engine::Block at = blocks_.at(block);
  at.member = rank;
  at.place = side_.place_of(block);
  return at;
}

NeighbourCall::NeighbourCall(engine::Call which, MPI_Comm on)
    : call(which), communicator(check_communicator(on)), neighbourhood(check_neighbourhood(communicator)) {}

std::size_t NeighbourCall::shown_blocks() const noexcept {
  if (call == engine::Call::neighbor_allgather) return 1;
  const bool is_grid = std::holds_alternative<Cartesian>(communicator.topology->graph);
  if (call != engine::Call::neighbor_alltoall || !is_grid) return 0;
  return static_cast<std::size_t>(neighbourhood.destinations.blocks);
}

}  // namespace foldlane::api
