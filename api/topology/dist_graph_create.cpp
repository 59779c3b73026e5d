// MPI_Dist_graph_create, MPI_Dist_graph_create_adjacent.
//
// With reorder the rank that takes the place of another one takes over the neighbours that the other one has
// named (MPI-5.0, 8.5.4: a graph of ranks of the old communicator, which processes are mapped to).
#include <algorithm>
#include <utility>
#include <vector>

#include "api/comm/sole_call.hpp"
#include "api/core/calls.hpp"
#include "api/errors/args.hpp"
#include "api/info/info.hpp"
#include "api/topology/dist_graph_arguments.hpp"
#include "api/topology/new_topology.hpp"
#include "api/topology/shared_edges.hpp"
#include "engine/mapping/mapping.hpp"

namespace foldlane::api {
namespace {

/// What all ranks of a call agree on.
struct Terms {
  engine::CallInfo as;
  bool is_weighted;
  bool reorder;  // and it might make a difference
};

/// Whether some ranks share less with each other than others do.
bool run_apart(const Communicator& communicator) {
  const std::vector<engine::Seat> seats = seats_of(communicator);
  return std::any_of(seats.begin(), seats.end(),
                     [&](const engine::Seat& seat) { return seat != seats.front(); });
}

Terms terms_of(engine::Call call, const Communicator& from, bool is_weighted, bool reorder) {
  return {founding_call(call, {is_weighted ? 1 : 0, reorder ? 1 : 0}), is_weighted,
          reorder && run_apart(from)};
}

void add(DistGraph& graph, const SharedEdge& edge, int rank) {
  if (edge.destination == rank && (edge.lists & SharedEdge::of_destination) != 0)
    graph.sources.add(edge.source, edge.weight, graph.is_weighted);
  if (edge.source == rank && (edge.lists & SharedEdge::of_source) != 0)
    graph.destinations.add(edge.destination, edge.weight, graph.is_weighted);
}

MPI_Comm create_in_order(const Communicator& from, const Terms& terms, DistGraph graph) {
  return new_topology(from, in_order(from.size()), terms.as, std::move(graph));
}

MPI_Comm create_from_edges(const Communicator& from, const Terms& terms, const std::vector<SharedEdge>& own) {
  DistGraph graph{.is_weighted = terms.is_weighted, .sources = {}, .destinations = {}};
  share_edges(from, terms.as, own, [&](const SharedEdge& edge) { add(graph, edge, from.rank()); });
  return create_in_order(from, terms, std::move(graph));
}

/// By rank of the graph: who takes its place.
std::vector<int> ranks_of(const Communicator& from, const std::vector<SharedEdge>& all) {
  std::vector<engine::Edge> edges;
  for (const SharedEdge& edge : all)
    edges.push_back({edge.source, edge.destination, static_cast<std::uint64_t>(edge.weight)});
  return engine::map_graph(from.size(), edges, seats_of(from)).members;
}

MPI_Comm create_reordered(const Communicator& from, const Terms& terms, const std::vector<SharedEdge>& own) {
  std::vector<SharedEdge> all;
  share_edges(from, terms.as, own, [&](const SharedEdge& edge) { all.push_back(edge); });
  const std::vector<int> ranks = ranks_of(from, all);
  DistGraph graph{.is_weighted = terms.is_weighted, .sources = {}, .destinations = {}};
  const int rank = position_of(from.rank(), ranks);
  for (const SharedEdge& edge : all) add(graph, edge, rank);
  return new_topology(from, ranks, terms.as, std::move(graph));
}

std::vector<SharedEdge> edges_of(const DistGraph& graph, int rank) {
  std::vector<SharedEdge> edges;
  const auto weight = [&](const DistGraph::Side& side, std::size_t at) {
    return graph.is_weighted ? side.weights[at] : 1;
  };
  for (std::size_t at = 0; at < graph.sources.ranks.size(); ++at)
    edges.push_back({graph.sources.ranks[at], rank, weight(graph.sources, at), SharedEdge::of_destination});
  for (std::size_t at = 0; at < graph.destinations.ranks.size(); ++at)
    edges.push_back(
        {rank, graph.destinations.ranks[at], weight(graph.destinations, at), SharedEdge::of_source});
  return edges;
}

}  // namespace

int dist_graph_create(Call call, MPI_Comm comm_old, int n, const int sources[], const int degrees[],
                      const int destinations[], const int weights[], MPI_Info info, int reorder,
                      MPI_Comm* comm_dist_graph) {
  return run(call, comm_old, [&] {
    const Communicator& from = check_intra(comm_old);
    const std::vector<SharedEdge> own = check_edges(from.size(), n, sources, degrees, destinations, weights);
    const InfoMap hints = check_info(info);
    check_output(comm_dist_graph, "comm_dist_graph");
    const SoleCall sole(call, comm_old);
    const Terms terms = terms_of(engine::Call::spread_graph, from, weights != MPI_UNWEIGHTED, reorder != 0);
    *comm_dist_graph =
        terms.reorder ? create_reordered(from, terms, own) : create_from_edges(from, terms, own);
    set_hints(*communicators.find(*comm_dist_graph), hints);
  });
}

int dist_graph_create_adjacent(Call call, MPI_Comm comm_old, int indegree, const int sources[],
                               const int sourceweights[], int outdegree, const int destinations[],
                               const int destweights[], MPI_Info info, int reorder,
                               MPI_Comm* comm_dist_graph) {
  return run(call, comm_old, [&] {
    const Communicator& from = check_intra(comm_old);
    const bool is_weighted = sourceweights != MPI_UNWEIGHTED;
    if (is_weighted != (destweights != MPI_UNWEIGHTED))
      fail(MPI_ERR_ARG, "one of sourceweights and destweights is MPI_UNWEIGHTED; it must be both or none");
    DistGraph graph{
        is_weighted,
        check_side(from.size(), indegree, sources, sourceweights, {"indegree", "sources", "sourceweights"}),
        check_side(from.size(), outdegree, destinations, destweights,
                   {"outdegree", "destinations", "destweights"})};
    const InfoMap hints = check_info(info);
    check_output(comm_dist_graph, "comm_dist_graph");
    const SoleCall sole(call, comm_old);
    const Terms terms = terms_of(engine::Call::adjacent_graph, from, is_weighted, reorder != 0);
    *comm_dist_graph = terms.reorder ? create_reordered(from, terms, edges_of(graph, from.rank()))
                                     : create_in_order(from, terms, std::move(graph));
    set_hints(*communicators.find(*comm_dist_graph), hints);
  });
}

}  // namespace foldlane::api
