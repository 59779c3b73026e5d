// Two ranks with so many edges between them that their lists, or what they show, have no room in a line, and
// then not in a slot. Each edge has its own value, forwards and backwards.
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "support/expect.h"

namespace {

int rank;

int value_of(int giver, int edge) { return 1'000'000 * (giver + 1) + edge; }

MPI_Comm make_graph(int edges) {
  const std::vector<int> other(static_cast<std::size_t>(edges), 1 - rank);
  MPI_Comm graph = MPI_COMM_NULL;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, edges, other.data(), MPI_UNWEIGHTED, edges, other.data(),
                                 MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
  return graph;
}

void expect_taken(const std::vector<int>& taken, int edges, bool is_list) {
  for (int edge = 0; edge < edges; ++edge) {
    const bool is_there = !is_list || edge % 3 != 0;
    if (taken[static_cast<std::size_t>(edge)] == (is_there ? value_of(1 - rank, edge) : -1)) continue;
    return expect_that(0, is_list ? "a list" : "equal blocks");
  }
}

void expect_calls(int edges) {
  MPI_Comm graph = make_graph(edges);
  const auto count = static_cast<std::size_t>(edges);
  std::vector<int> given(count), taken(count, -1), counts(count), places(count);
  for (int edge = 0; edge < edges; ++edge) {
    const auto at = static_cast<std::size_t>(edge);
    given[at] = value_of(rank, edge);
    places[at] = edge;
    counts[at] = edge % 3 != 0 ? 1 : 0;
  }
  MPI_Neighbor_alltoall(given.data(), 1, MPI_INT, taken.data(), 1, MPI_INT, graph);
  expect_taken(taken, edges, false);
  std::fill(taken.begin(), taken.end(), -1);
  MPI_Neighbor_alltoallv(given.data(), counts.data(), places.data(), MPI_INT, taken.data(), counts.data(),
                         places.data(), MPI_INT, graph);
  expect_taken(taken, edges, true);
  MPI_Comm_free(&graph);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  // Lists in a line, in a slot, and of a rank that does not tell of its edges; what is shown leaves line and
  // slot at other numbers.
  for (const int edges : {13, 14, 27, 28, 29, 10'000, 20'000, 40'000}) expect_calls(edges);
  MPI_Finalize();
  return 0;
}
