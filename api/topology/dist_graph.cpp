// What can be asked about a graph of which each rank knows its own edges.
#include <algorithm>
#include <vector>

#include "api/core/calls.hpp"
#include "api/errors/args.hpp"
#include "api/topology/lookup.hpp"

namespace foldlane::api {
namespace {

/// As many of the values as there is room for, once it is sure that they all can be written.
class Copies {
 public:
  void add(const std::vector<int>& values, int room, int* to, const char* parameter) {
    const auto count = std::min(values.size(), static_cast<std::size_t>(room));
    if (count > 0) copies_.push_back({values.data(), count, check_output(to, parameter)});
  }
  void add_weights(const DistGraph& graph, const std::vector<int>& weights, int room, int* to,
                   const char* parameter) {
    if (!graph.is_weighted || to == MPI_UNWEIGHTED) return;
    if (to == MPI_WEIGHTS_EMPTY && room > 0 && !weights.empty()) {
      fail(MPI_ERR_ARG,
           fmt::format("{} is MPI_WEIGHTS_EMPTY, but there are {} edges", parameter, weights.size()));
    }
    add(weights, room, to, parameter);
  }
  void make() const {
    for (const auto& [from, count, to] : copies_) std::copy_n(from, count, to);
  }

 private:
  struct Copy {
    const int* from;
    std::size_t count;
    int* to;
  };
  std::vector<Copy> copies_;
};

void check_maximum(int most, const char* parameter) {
  if (most < 0) fail(MPI_ERR_COUNT, fmt::format("{} is {}; it must not be negative", parameter, most));
}

}  // namespace

int dist_graph_neighbors_count(Call call, MPI_Comm comm, int* indegree, int* outdegree, int* weighted) {
  return run(call, comm, [&] {
    const auto [communicator, graph] = check_topology<DistGraph>(comm, "distributed graph");
    check_output(indegree, "indegree");
    check_output(outdegree, "outdegree");
    *check_output(weighted, "weighted") = graph.is_weighted ? 1 : 0;
    *indegree = static_cast<int>(graph.sources.ranks.size());
    *outdegree = static_cast<int>(graph.destinations.ranks.size());
  });
}

int dist_graph_neighbors(Call call, MPI_Comm comm, int maxindegree, int sources[], int sourceweights[],
                         int maxoutdegree, int destinations[], int destweights[]) {
  return run(call, comm, [&] {
    const auto [communicator, graph] = check_topology<DistGraph>(comm, "distributed graph");
    check_maximum(maxindegree, "maxindegree");
    check_maximum(maxoutdegree, "maxoutdegree");
    Copies copies;
    copies.add(graph.sources.ranks, maxindegree, sources, "sources");
    copies.add_weights(graph, graph.sources.weights, maxindegree, sourceweights, "sourceweights");
    copies.add(graph.destinations.ranks, maxoutdegree, destinations, "destinations");
    copies.add_weights(graph, graph.destinations.weights, maxoutdegree, destweights, "destweights");
    copies.make();
  });
}

}  // namespace foldlane::api
