// Graphs of which each rank knows its own edges.
#include <algorithm>
#include <string>

#include "topology/topology_world.hpp"

namespace {

void split(const Neighbours& neighbours, Ints& ranks, Ints& weights) {
  for (const auto& [rank, weight] : neighbours) {
    ranks.push_back(rank);
    weights.push_back(weight);
  }
}

Neighbours joined(const Ints& ranks, const Ints& weights) {
  Neighbours neighbours;
  for (std::size_t at = 0; at < ranks.size(); ++at) neighbours.emplace_back(ranks[at], weights[at]);
  return neighbours;
}

Neighbours sorted(Neighbours neighbours) {
  std::sort(neighbours.begin(), neighbours.end());
  return neighbours;
}

struct Edge {
  int from, to, weight;
};

/// Any rank says of any edge that there is one.
void check_dist_graph(Random& random, int edges, int contributors, bool weighted, bool reorder) {
  const int size = size_of(MPI_COMM_WORLD), rank = rank_in(MPI_COMM_WORLD);
  std::vector<Edge> all;
  Ints sources, degrees, destinations, weights;
  for (int i = 0; i < edges; ++i) {
    all.push_back({draw(random, 0, size - 1), draw(random, 0, size - 1), weighted ? draw(random, 0, 99) : 1});
    if (draw(random, size - contributors, size - 1) != rank) continue;
    const bool goes_on = !sources.empty() && sources.back() == all.back().from;
    if (!goes_on) {
      sources.push_back(all.back().from);
      degrees.push_back(0);
    }
    ++degrees.back();
    destinations.push_back(all.back().to);
    weights.push_back(all.back().weight);
  }
  MPI_Comm comm = MPI_COMM_NULL;
  const int* const given = !weighted ? MPI_UNWEIGHTED : weights.empty() ? MPI_WEIGHTS_EMPTY : weights.data();
  expect(MPI_Dist_graph_create(MPI_COMM_WORLD, length(sources), sources.data(), degrees.data(),
                               destinations.data(), given, MPI_INFO_NULL, reorder ? 1 : 0,
                               &comm) == MPI_SUCCESS);
  expect(size_of(comm) == size && (reorder || rank_in(comm) == rank));
  DistGraph right{weighted, {}, {}};
  for (const Edge& edge : all) {
    if (edge.to == rank_in(comm)) right.sources.emplace_back(edge.from, edge.weight);
    if (edge.from == rank_in(comm)) right.destinations.emplace_back(edge.to, edge.weight);
  }
  const DistGraph got = ask(comm), again = ask(comm);
  expect(got.weighted == weighted && sorted(got.sources) == sorted(right.sources) &&
         sorted(got.destinations) == sorted(right.destinations));
  expect(got.sources == again.sources && got.destinations == again.destinations);
  MPI_Comm_free(&comm);
}

/// Who takes the place of another rank has the neighbours that this one has named, in the same order.
void check_adjacent(bool weighted, bool reorder) {
  const int size = size_of(MPI_COMM_WORLD);
  MPI_Comm comm = create_adjacent(adjacent_of(rank_in(MPI_COMM_WORLD), size, weighted), reorder);
  expect(size_of(comm) == size && (reorder || rank_in(comm) == rank_in(MPI_COMM_WORLD)));
  const DistGraph right = adjacent_of(rank_in(comm), size, weighted), got = ask(comm);
  expect(got.weighted == weighted && got.sources == right.sources && got.destinations == right.destinations);
  MPI_Comm_free(&comm);
}

}  // namespace

DistGraph ask(MPI_Comm comm) {
  int in = -1, out = -1, weighted = -1;
  expect(topology_of(comm) == MPI_DIST_GRAPH);
  expect(MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted) == MPI_SUCCESS);
  Ints sources(static_cast<std::size_t>(in), -7), destinations(static_cast<std::size_t>(out), -7);
  Ints source_weights(sources.size(), 1), weights(destinations.size(), 1);
  expect(MPI_Dist_graph_neighbors(comm, in, sources.data(), source_weights.data(), out, destinations.data(),
                                  weights.data()) == MPI_SUCCESS);
  // Fewer are the first of them, and weights need not be asked for.
  Ints few(static_cast<std::size_t>(in / 2));
  expect(MPI_Dist_graph_neighbors(comm, in / 2, few.data(), MPI_UNWEIGHTED, 0, nullptr, MPI_UNWEIGHTED) ==
         MPI_SUCCESS);
  expect(std::equal(few.begin(), few.end(), sources.begin()));
  return {weighted != 0, joined(sources, source_weights), joined(destinations, weights)};
}

DistGraph adjacent_of(int rank, int size, bool weighted) {
  DistGraph graph{weighted, {}, {}};
  for (const int steps : {3, 0, 1, 1}) {
    const int to = (rank + steps) % size, from = (rank + size - steps % size) % size;
    graph.destinations.emplace_back(to, weighted ? to + 2 * rank : 1);
    graph.sources.insert(graph.sources.begin(), std::pair(from, weighted ? rank + 2 * from : 1));
  }
  return graph;
}

MPI_Comm create_adjacent(const DistGraph& graph, bool reorder, MPI_Info info) {
  Ints sources, source_weights, destinations, weights;
  split(graph.sources, sources, source_weights);
  split(graph.destinations, destinations, weights);
  const auto given = [&](const Ints& some) { return graph.weighted ? some.data() : MPI_UNWEIGHTED; };
  MPI_Comm comm = MPI_COMM_NULL;
  expect(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, length(sources), sources.data(),
                                        given(source_weights), length(destinations), destinations.data(),
                                        given(weights), info, reorder ? 1 : 0, &comm) == MPI_SUCCESS);
  return comm;
}

void check_dist_graphs() {
  Random random(15);
  const int size = size_of(MPI_COMM_WORLD);
  for (int trial = 0; trial < 12; ++trial)
    check_dist_graph(random, draw(random, 0, 6 * size), draw(random, 1, size), trial % 2 == 1,
                     trial % 3 == 1);
  // More than are exchanged at a time.
  check_dist_graph(random, 10'000, 1, true, true);
  check_dist_graph(random, 9'000, size, true, false);
  for (const bool weighted : {false, true})
    for (const bool reorder : {false, true}) check_adjacent(weighted, reorder);
}

void check_info() {
  MPI_Info info = MPI_INFO_NULL, used = MPI_INFO_NULL;
  MPI_Info_create(&info);
  MPI_Info_set(info, "mpi_assert_no_any_tag", "true");
  MPI_Comm comm = create_adjacent({false, {}, {}}, true, info);
  MPI_Info_free(&info);
  MPI_Comm_get_info(comm, &used);
  char value[8] = "";
  int found = 0, room = sizeof value;
  MPI_Info_get_string(used, "mpi_assert_no_any_tag", &room, value, &found);
  expect(found != 0 && value == std::string("true"));
  MPI_Info_free(&used);
  MPI_Comm_free(&comm);
}
