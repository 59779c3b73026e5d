#include "api/collective/neighbours.hpp"

#include "api/core/failure.hpp"

namespace foldlane::api {
namespace {

const Topology& check_neighbours(const Communicator& communicator) {
  if (communicator.is_inter) fail(MPI_ERR_COMM, "the communicator is an intercommunicator");
  if (communicator.topology != nullptr) return *communicator.topology;
  fail(
      MPI_ERR_TOPOLOGY,
      "the communicator has no topology, so its ranks have no neighbours; MPI_Cart_create, MPI_Graph_create, "
      "MPI_Dist_graph_create and MPI_Dist_graph_create_adjacent make communicators that have one");
}

}  // namespace

engine::Block NeighbourBlocks::block_at(int i) const noexcept {
  const engine::Neighbour& edge = side_.at(i);
  // In its place: to copy what has been written field by field a moment ago would wait for that.
  engine::Block at = blocks_.at(edge.block);
  at.member = edge.rank;
  side_.set_place(edge, at);
  return at;
}

NeighbourCall::NeighbourCall(engine::Call which, MPI_Comm on)
    : call(which),
      communicator(check_communicator(on)),
      topology(check_neighbours(communicator)),
      neighbourhood(topology.neighbourhood) {}

std::uint32_t NeighbourCall::shown_blocks() const noexcept {
  if (engine::moves_one_to_all(call)) return 1;
  const auto& edges = neighbourhood.destinations.neighbours;
  return edges.empty() ? 0 : edges.front().shown;
}

engine::OneSidedBlock NeighbourCall::one_sided_block() const noexcept {
  const int own = communicator.team->rank();
  for (const engine::Neighbour& edge : neighbourhood.destinations.one_sided) {
    const std::uint64_t bytes = sends.at(edge.block).buffer.bytes;
    if (bytes > 0) return {own, edge.rank, bytes, 0};
  }
  for (const engine::Neighbour& edge : neighbourhood.sources.one_sided) {
    const std::uint64_t bytes = receives.at(edge.block).buffer.bytes;
    if (bytes > 0) return {edge.rank, own, 0, bytes};
  }
  return {};
}

}  // namespace foldlane::api
