#include "api/topology/new_topology.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>
#include <variant>

#include "api/comm/new_communicator.hpp"
#include "api/core/failure.hpp"
#include "api/core/world.hpp"
#include "api/group/group.hpp"
#include "api/op/mismatch.hpp"
#include "engine/collectives/neighbours/neighbour_edges.hpp"
#include "engine/job/proposals.hpp"

namespace foldlane::api {

const Communicator& check_intra(MPI_Comm comm) {
  const Communicator& communicator = check_communicator(comm);
  if (communicator.is_inter) fail(MPI_ERR_COMM, "the communicator is an intercommunicator");
  return communicator;
}

engine::CallInfo founding_call(engine::Call call, const std::vector<int>& arguments) {
  return {.call = call, .variant = engine::kWithArguments, .count = engine::hash_of(arguments)};
}

std::vector<engine::Seat> seats_of(const Communicator& communicator) {
  std::vector<engine::Seat> seats;
  for (int member = 0; member < communicator.team->size(); ++member)
    seats.push_back(communicator.team->membership().peer(member).seat);
  return seats;
}

std::vector<int> in_order(int count) {
  std::vector<int> ranks(static_cast<std::size_t>(count));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

int position_of(int rank, std::span<const int> ranks) {
  const auto found = std::find(ranks.begin(), ranks.end(), rank);
  return found == ranks.end() ? MPI_UNDEFINED : static_cast<int>(found - ranks.begin());
}

namespace {

Neighbourhood find_neighbourhood(engine::Team& team, const engine::CallInfo& as, const TopologyGraph& graph) {
  Neighbourhood own = neighbourhood_of(graph, team.rank());
  if (std::holds_alternative<DistGraph>(graph))
    require(team, engine::find_places(team, as, {own.sources.neighbours, own.destinations.neighbours}));
  return own;
}

}  // namespace

MPI_Comm new_topology(const Communicator& from, std::span<const int> ranks, const engine::CallInfo& as,
                      TopologyGraph graph) {
  engine::Team& team = *from.team;
  const int own_rank = position_of(team.rank(), ranks);
  const bool outside = own_rank == MPI_UNDEFINED;
  std::vector<int> members;
  if (!outside)
    for (const int rank : ranks) members.push_back(team.membership().rank_in_job(rank));
  auto founded = world.job->founding().found(team, members, as);
  if (!founded.ok()) fail(team, founded.error());
  if (outside) return MPI_COMM_NULL;
  const MPI_Comm made = new_communicator(std::move(founded.value()),
                                         make_group(std::move(members), from.session), nullptr, from);
  Communicator& communicator = *communicators.find(made);
  Neighbourhood own = find_neighbourhood(*communicator.team, as, graph);
  communicator.topology = std::make_shared<const Topology>(std::move(graph), std::move(own));
  return made;
}

}  // namespace foldlane::api
