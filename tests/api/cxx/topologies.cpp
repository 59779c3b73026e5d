// The classes of communicators with a topology, for calls.cpp: each method once.
#include <mpi_cxx.hpp>

#include "support/expect.h"

using namespace MPI;

namespace {

void grid(int rank, int ranks) {
  const int dims[2] = {ranks, 1};
  const bool periods[2] = {true, false}, remain[2] = {true, false};
  Cartcomm cart = COMM_WORLD.Create_cart(2, dims, periods, false);
  int got[2] = {}, coords[2] = {}, source = -5, dest = -5;
  bool flags[2] = {};
  expect(cart.Get_topology() == CART && cart.Get_dim() == 2 && cart.Map(2, dims, periods) == rank);
  cart.Get_topo(2, got, flags, coords);
  expect(got[0] == ranks && got[1] == 1 && flags[0] && !flags[1] && coords[0] == rank && coords[1] == 0);
  cart.Get_coords(ranks - 1, 2, coords);
  expect(coords[0] == ranks - 1 && cart.Get_cart_rank(coords) == ranks - 1);
  cart.Shift(0, 1, source, dest);
  expect(source == (rank + ranks - 1) % ranks && dest == (rank + 1) % ranks);
  Cartcomm line = cart.Sub(remain), copy = line.Dup();
  expect(line.Get_dim() == 1 && copy.Get_topology() == CART && copy.Get_size() == ranks);
  copy.Free();
  line.Free();
  coords[1] = 1;
  cart.Set_errhandler(ERRORS_THROW_EXCEPTIONS);
  try {
    cart.Get_cart_rank(coords);
    give_up("coordinates outside are not refused");
  } catch (const Exception& error) {
    expect(error.Get_error_class() == ERR_ARG);
  }
  cart.Free();
}

void graph(int rank) {
  const int index[1] = {2}, edges[2] = {0, 0};
  Graphcomm made = COMM_WORLD.Create_graph(1, index, edges, false);
  expect((made == COMM_NULL) == (rank > 0));
  expect(Graphcomm(MPI_COMM_WORLD).Map(1, index, edges) == (rank > 0 ? UNDEFINED : 0));
  if (rank > 0) return;
  int nodes[1] = {}, count[1] = {}, got_index[1] = {}, got[2] = {-1, -1};
  made.Get_dims(nodes, count);
  expect(made.Get_topology() == GRAPH && nodes[0] == 1 && count[0] == 2 && made.Get_neighbors_count(0) == 2);
  made.Get_topo(1, 2, got_index, got);
  expect(got_index[0] == 2 && got[1] == 0);
  got[1] = -1;
  made.Get_neighbors(0, 2, got);
  expect(got[0] == 0 && got[1] == 0);
  made.Free();
}

void distributed_graph(int rank, int ranks) {
  const int before[1] = {(rank + ranks - 1) % ranks}, next[1] = {(rank + 1) % ranks}, weight[1] = {rank + 3},
            weight_before[1] = {before[0] + 3}, self[1] = {rank}, one[1] = {1};
  Distgraphcomm made[4] = {
      COMM_WORLD.Dist_graph_create(1, self, one, next, weight, INFO_NULL, false),
      COMM_WORLD.Dist_graph_create_adjacent(1, before, weight_before, 1, next, weight, INFO_NULL, false),
      COMM_WORLD.Dist_graph_create(1, self, one, next, INFO_NULL, false),
      COMM_WORLD.Dist_graph_create_adjacent(1, before, 1, next, INFO_NULL, false)};
  for (int at = 0; at < 4; ++at) {
    int in = -1, out = -1, source = -1, source_weight = -1, dest = -1, dest_weight = -1;
    bool weighted = at >= 2;
    made[at].Get_dist_neighbors_count(in, out, weighted);
    expect(made[at].Get_topology() == DIST_GRAPH && in == 1 && out == 1 && weighted == (at < 2));
    made[at].Get_dist_neighbors(1, &source, &source_weight, 1, &dest, &dest_weight);
    expect(source == before[0] && dest == next[0]);
    expect(source_weight == (weighted ? weight_before[0] : -1) && dest_weight == (weighted ? weight[0] : -1));
    made[at].Free();
  }
}

}  // namespace

void topologies() {
  const int rank = COMM_WORLD.Get_rank(), ranks = COMM_WORLD.Get_size();
  grid(rank, ranks);
  graph(rank);
  distributed_graph(rank, ranks);
}
