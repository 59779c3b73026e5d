// MPI_Graph_create, MPI_Graph_map, and what can be asked about a graph that every rank knows.
#include <fmt/format.h>

#include <algorithm>
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

[[noreturn]] void refuse(std::string message) { fail(MPI_ERR_TOPOLOGY, std::move(message)); }

void check_index(int nnodes, const int* indx) {
  for (int node = 0, before = 0; node < nnodes; before = indx[node++]) {
    if (indx[node] >= before) continue;
    refuse(
        fmt::format("index[{}] is {}; it must be no less than {}, which is where the neighbours of node "
                    "{} begin",
                    node, indx[node], before, node));
  }
}

/// Throws MPI_ERR_TOPOLOGY unless there is a rank for each node, and edges lead to nodes only.
Graph check_graph_arguments(const Communicator& communicator, int nnodes, const int* indx, const int* edges) {
  if (nnodes < 0 || nnodes > communicator.size()) {
    refuse(
        fmt::format("nnodes is {}; it must not be negative, nor more than the {} ranks of the communicator",
                    nnodes, communicator.size()));
  }
  if (nnodes == 0) return {};
  check_index(nnodes, check_output(indx, "index"));
  const int count = indx[nnodes - 1];
  if (count > 0) check_output(edges, "edges");
  for (int at = 0; at < count; ++at) {
    if (edges[at] >= 0 && edges[at] < nnodes) continue;
    refuse(fmt::format("edges[{}] is {}; the nodes are 0 to {}", at, edges[at], nnodes - 1));
  }
  return {{indx, indx + nnodes}, {edges, edges + count}};
}

std::vector<engine::Edge> edges_of(const Graph& graph) {
  std::vector<engine::Edge> edges;
  for (int node = 0; node < static_cast<int>(graph.index.size()); ++node)
    for (const int neighbour : graph.neighbours_of(node)) edges.push_back({node, neighbour, 1});
  return edges;
}

/// By node.
std::vector<int> ranks_of(const Graph& graph, const Communicator& communicator, bool reorder) {
  const auto nodes = static_cast<int>(graph.index.size());
  if (!reorder) return in_order(nodes);
  return engine::map_graph(nodes, edges_of(graph), seats_of(communicator)).members;
}

engine::CallInfo call_of(const Graph& graph, bool reorder) {
  std::vector<int> arguments{reorder ? 1 : 0};
  arguments.insert(arguments.end(), graph.index.begin(), graph.index.end());
  arguments.insert(arguments.end(), graph.edges.begin(), graph.edges.end());
  return founding_call(engine::Call::graph, arguments);
}

Asked<Graph> check_graph(MPI_Comm comm) { return check_topology<Graph>(comm, "graph"); }

}  // namespace

int graph_create(Call call, MPI_Comm comm_old, int nnodes, const int indx[], const int edges[], int reorder,
                 MPI_Comm* comm_graph) {
  return run(call, comm_old, [&] {
    const Communicator& from = check_intra(comm_old);
    Graph graph = check_graph_arguments(from, nnodes, indx, edges);
    check_output(comm_graph, "comm_graph");
    const SoleCall sole(call, comm_old);
    const std::vector<int> ranks = ranks_of(graph, from, reorder != 0);
    const engine::CallInfo as = call_of(graph, reorder != 0);
    *comm_graph = new_topology(from, ranks, as, std::move(graph));
  });
}

int graph_map(Call call, MPI_Comm comm, int nnodes, const int indx[], const int edges[], int* newrank) {
  return run(call, comm, [&] {
    const Communicator& communicator = check_intra(comm);
    const Graph graph = check_graph_arguments(communicator, nnodes, indx, edges);
    *check_output(newrank, "newrank") = position_of(communicator.rank(), ranks_of(graph, communicator, true));
  });
}

int graphdims_get(Call call, MPI_Comm comm, int* nnodes, int* nedges) {
  return run(call, comm, [&] {
    const auto [communicator, graph] = check_graph(comm);
    check_output(nnodes, "nnodes");
    check_output(nedges, "nedges");
    *nnodes = static_cast<int>(graph.index.size());
    *nedges = static_cast<int>(graph.edges.size());
  });
}

int graph_get(Call call, MPI_Comm comm, int maxindex, int maxedges, int indx[], int edges[]) {
  return run(call, comm, [&] {
    const auto [communicator, graph] = check_graph(comm);
    check_room(maxindex, graph.index.size(), "maxindex", "nodes");
    check_room(maxedges, graph.edges.size(), "maxedges", "edges");
    check_output(indx, "index");
    if (!graph.edges.empty()) check_output(edges, "edges");
    std::copy(graph.index.begin(), graph.index.end(), indx);
    std::copy(graph.edges.begin(), graph.edges.end(), edges);
  });
}

int graph_neighbors_count(Call call, MPI_Comm comm, int rank, int* nneighbors) {
  return run(call, comm, [&] {
    const auto [communicator, graph] = check_graph(comm);
    check_member(rank, communicator.size());
    *check_output(nneighbors, "nneighbors") = static_cast<int>(graph.neighbours_of(rank).size());
  });
}

int graph_neighbors(Call call, MPI_Comm comm, int rank, int maxneighbors, int neighbors[]) {
  return run(call, comm, [&] {
    const auto [communicator, graph] = check_graph(comm);
    check_member(rank, communicator.size());
    const std::span<const int> found = graph.neighbours_of(rank);
    check_room(maxneighbors, found.size(), "maxneighbors", "neighbours");
    if (found.empty()) return;
    std::copy(found.begin(), found.end(), check_output(neighbors, "neighbors"));
  });
}

}  // namespace foldlane::api
