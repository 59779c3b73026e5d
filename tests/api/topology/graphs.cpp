// Graphs that all ranks know.
#include "topology/topology_world.hpp"

namespace {

/// With edges to oneself, and several between two.
void check_graph(Random& random, int nodes, bool reorder) {
  Ints index, edges;
  for (int node = 0; node < nodes; ++node) {
    for (int degree = draw(random, 0, 4); degree > 0; --degree) edges.push_back(draw(random, 0, nodes - 1));
    index.push_back(length(edges));
  }
  MPI_Comm comm = MPI_COMM_SELF;
  int mapped = -5;
  expect(MPI_Graph_create(MPI_COMM_WORLD, nodes, index.data(), edges.data(), reorder ? 1 : 0, &comm) ==
         MPI_SUCCESS);
  expect(MPI_Graph_map(MPI_COMM_WORLD, nodes, index.data(), edges.data(), &mapped) == MPI_SUCCESS);
  const bool inside = comm != MPI_COMM_NULL;
  expect(sum_over(MPI_COMM_WORLD, inside ? 1 : 0) == nodes);
  expect(!reorder || mapped == (inside ? rank_in(comm) : MPI_UNDEFINED));
  if (!inside) return;
  expect(reorder || rank_in(comm) == rank_in(MPI_COMM_WORLD));
  int count = -1, edge_count = -1;
  expect(topology_of(comm) == MPI_GRAPH && size_of(comm) == nodes);
  expect(MPI_Graphdims_get(comm, &count, &edge_count) == MPI_SUCCESS);
  expect(count == nodes && edge_count == length(edges));
  Ints got_index(index.size()), got_edges(edges.size());
  expect(MPI_Graph_get(comm, nodes, edge_count, got_index.data(), got_edges.data()) == MPI_SUCCESS);
  expect(got_index == index && got_edges == edges);
  for (int node = 0, begin = 0; node < nodes; begin = index[static_cast<std::size_t>(node++)]) {
    const Ints right(edges.begin() + begin, edges.begin() + index[static_cast<std::size_t>(node)]);
    expect(MPI_Graph_neighbors_count(comm, node, &count) == MPI_SUCCESS && count == length(right));
    Ints neighbours(right.size());
    expect(MPI_Graph_neighbors(comm, node, count, neighbours.data()) == MPI_SUCCESS && neighbours == right);
  }
  MPI_Comm_free(&comm);
}

}  // namespace

void check_graphs() {
  Random random(8);
  for (int trial = 0; trial < 10; ++trial)
    check_graph(random, draw(random, 0, size_of(MPI_COMM_WORLD)), trial % 2 == 1);
}
