// Topologies in jobs of several ranks, against what MPI says of them. With the argument "reorder" every other
// rank runs in another package than its neighbours.
#include "topology/topology_world.hpp"

#include <array>

namespace {

// ---- What keeps a topology

void expect_topology(MPI_Comm comm, int topology) {
  expect(comm != MPI_COMM_NULL && topology_of(comm) == topology);
  MPI_Comm_free(&comm);
}

void check_copies(MPI_Comm comm, int topology) {
  std::array<MPI_Comm, 6> made{};
  MPI_Request requests[2];
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Comm_dup(comm, &made[0]);
  MPI_Comm_dup_with_info(comm, MPI_INFO_NULL, &made[1]);
  MPI_Comm_idup(comm, &made[2], &requests[0]);
  MPI_Comm_idup_with_info(comm, MPI_INFO_NULL, &made[3], &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Comm_split(comm, 0, 0, &made[4]);
  MPI_Comm_group(comm, &group);
  MPI_Comm_create(comm, group, &made[5]);
  MPI_Group_free(&group);
  MPI_Comm_free(&comm);  // the copies have theirs
  if (topology == MPI_DIST_GRAPH)
    expect(ask(made[2]).sources == adjacent_of(rank_in(made[2]), size_of(made[2]), true).sources);
  for (std::size_t i = 0; i < 4; ++i) expect_topology(made[i], topology);
  for (std::size_t i = 4; i < 6; ++i) expect_topology(made[i], MPI_UNDEFINED);
}

void check_what_keeps_a_topology() {
  const int size = size_of(MPI_COMM_WORLD), period = 1;
  Ints index(static_cast<std::size_t>(size), 0);
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &period, 1, &comm);
  check_copies(comm, MPI_CART);
  MPI_Graph_create(MPI_COMM_WORLD, size, index.data(), nullptr, 1, &comm);
  check_copies(comm, MPI_GRAPH);
  check_copies(create_adjacent(adjacent_of(rank_in(MPI_COMM_WORLD), size, true), true), MPI_DIST_GRAPH);
}

// ---- What is refused

void check_intercommunicator() {
  const int size = size_of(MPI_COMM_WORLD), rank = rank_in(MPI_COMM_WORLD), zero = 0, one = 1;
  if (size == 1) return;
  MPI_Comm half = MPI_COMM_NULL, inter = MPI_COMM_NULL, made = MPI_COMM_SELF;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 0, &inter);
  MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
  int found = 0;
  expect(topology_of(inter) == MPI_UNDEFINED);
  expect(MPI_Cart_create(inter, 1, &one, &one, 0, &made) == MPI_ERR_COMM);
  expect(MPI_Cart_map(inter, 1, &one, &one, &found) == MPI_ERR_COMM);
  expect(MPI_Graph_create(inter, 1, &zero, nullptr, 0, &made) == MPI_ERR_COMM);
  expect(MPI_Graph_map(inter, 1, &zero, nullptr, &found) == MPI_ERR_COMM);
  expect(MPI_Dist_graph_create(inter, 0, nullptr, nullptr, nullptr, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                               &made) == MPI_ERR_COMM);
  expect(MPI_Dist_graph_create_adjacent(inter, 0, nullptr, MPI_UNWEIGHTED, 0, nullptr, MPI_UNWEIGHTED,
                                        MPI_INFO_NULL, 0, &made) == MPI_ERR_COMM);
  expect(MPI_Cart_sub(inter, &one, &made) == MPI_ERR_TOPOLOGY && made == MPI_COMM_SELF);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
}

// ---- Ranks that are not next to those that they exchange data with

/// By rank in `comm`: its rank in MPI_COMM_WORLD.
Ints ranks_in_world(MPI_Comm comm) {
  MPI_Group own = MPI_GROUP_NULL, world = MPI_GROUP_NULL;
  MPI_Comm_group(comm, &own);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  Ints ranks(static_cast<std::size_t>(size_of(comm))), found(ranks.size());
  std::iota(ranks.begin(), ranks.end(), 0);
  MPI_Group_translate_ranks(own, length(ranks), ranks.data(), world, found.data());
  MPI_Group_free(&own);
  MPI_Group_free(&world);
  return found;
}

/// Edges between ranks with even and with odd numbers in MPI_COMM_WORLD.
int crossings(MPI_Comm comm, const Ints& neighbours) {
  const Ints in_world = ranks_in_world(comm);
  int crossings = 0;
  for (const int neighbour : neighbours) {
    if (neighbour == MPI_PROC_NULL) continue;
    crossings += (in_world[static_cast<std::size_t>(neighbour)] + rank_in(MPI_COMM_WORLD)) % 2;
  }
  return sum_over(comm, crossings);
}

void check_reordering() {
  const int size = size_of(MPI_COMM_WORLD);
  const Ints dims{size}, periods{0};
  MPI_Comm line = MPI_COMM_NULL;
  MPI_Cart_create(MPI_COMM_WORLD, 1, dims.data(), periods.data(), 1, &line);
  Ints around(2);
  MPI_Cart_shift(line, 0, 1, around.data(), &around[1]);
  expect_that(crossings(line, around) == 2, "one edge is cut, of which there are two directions");
  MPI_Comm_free(&line);
  // Each with the next one, which runs in the other package.
  const int partner = rank_in(MPI_COMM_WORLD) ^ 1;
  MPI_Comm pairs = create_adjacent({true, {{partner, 5}}, {{partner, 5}}}, true);
  const DistGraph got = ask(pairs);
  expect(got.destinations == Neighbours({{rank_in(pairs) ^ 1, 5}}) && got.sources == got.destinations);
  expect_that(crossings(pairs, {got.destinations[0].first}) == 0, "no pair is cut");
  MPI_Comm_free(&pairs);
  // One that is all edges gains nothing.
  Ints index, edges;
  for (int node = 0; node < size; ++node) {
    for (int other = 0; other < size; ++other) edges.push_back(other);
    index.push_back(length(edges));
  }
  MPI_Comm complete = MPI_COMM_NULL;
  MPI_Graph_create(MPI_COMM_WORLD, size, index.data(), edges.data(), 1, &complete);
  expect_that(rank_in(complete) == rank_in(MPI_COMM_WORLD), "ranks stay where nothing is better");
  MPI_Comm_free(&complete);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc > 1) check_reordering();
  check_carts();
  check_graphs();
  check_dist_graphs();
  check_info();
  check_what_keeps_a_topology();
  check_intercommunicator();
  MPI_Finalize();
  return 0;
}
