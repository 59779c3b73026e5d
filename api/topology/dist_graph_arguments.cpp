#include "api/topology/dist_graph_arguments.hpp"

#include <fmt/format.h>

#include "api/core/failure.hpp"
#include "api/errors/args.hpp"

namespace foldlane::api {
namespace {

void check_count(int count, const char* parameter, int at = -1) {
  if (count >= 0) return;
  const std::string which = at < 0 ? parameter : fmt::format("{}[{}]", parameter, at);
  fail(MPI_ERR_COUNT, fmt::format("{} is {}; it must not be negative", which, count));
}

void check_node(int rank, int size, const char* parameter, std::int64_t at) {
  if (rank >= 0 && rank < size) return;
  fail(MPI_ERR_RANK, fmt::format("{}[{}] is {}; the ranks are 0 to {}", parameter, at, rank, size - 1));
}

/// Of `count` edges. MPI_UNWEIGHTED is fine for any of them.
void check_weights(const int* weights, std::int64_t count, const char* parameter) {
  if (weights == MPI_UNWEIGHTED || count == 0) return;
  if (weights == MPI_WEIGHTS_EMPTY)
    fail(MPI_ERR_ARG, fmt::format("{} is MPI_WEIGHTS_EMPTY, but there are {} edges", parameter, count));
  check_output(weights, parameter);
  for (std::int64_t at = 0; at < count; ++at) {
    if (weights[at] >= 0) continue;
    fail(MPI_ERR_ARG, fmt::format("{}[{}] is {}; it must not be negative", parameter, at, weights[at]));
  }
}

std::int64_t check_degrees(int n, const int* degrees) {
  std::int64_t edges = 0;
  for (int at = 0; at < n; ++at) {
    check_count(degrees[at], "degrees", at);
    edges += degrees[at];
  }
  return edges;
}

}  // namespace

std::vector<SharedEdge> check_edges(int size, int n, const int* sources, const int* degrees,
                                    const int* destinations, const int* weights) {
  check_count(n, "n");
  if (n == 0) return {};
  check_output(sources, "sources");
  const std::int64_t count = check_degrees(n, check_output(degrees, "degrees"));
  if (count > 0) check_output(destinations, "destinations");
  check_weights(weights, count, "weights");
  std::vector<SharedEdge> edges;
  std::int64_t next = 0;
  for (int at = 0; at < n; ++at) {
    check_node(sources[at], size, "sources", at);
    for (int degree = 0; degree < degrees[at]; ++degree, ++next) {
      check_node(destinations[next], size, "destinations", next);
      const int weight = weights == MPI_UNWEIGHTED ? 1 : weights[next];
      edges.push_back({sources[at], destinations[next], weight, SharedEdge::of_both});
    }
  }
  return edges;
}

DistGraph::Side check_side(int size, int degree, const int* ranks, const int* weights,
                           const SideNames& names) {
  check_count(degree, names.degree);
  if (degree > 0) check_output(ranks, names.ranks);
  check_weights(weights, degree, names.weights);
  DistGraph::Side side;
  for (int at = 0; at < degree; ++at) {
    check_node(ranks[at], size, names.ranks, at);
    const bool is_weighted = weights != MPI_UNWEIGHTED;
    side.add(ranks[at], is_weighted ? weights[at] : 1, is_weighted);
  }
  return side;
}

}  // namespace foldlane::api
