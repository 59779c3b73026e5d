// MPI_Dims_create, and the questions about topologies and about spawned processes, of which there are none.
#include "api/objects/topology.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "support/mpi_world.hpp"

namespace {

using foldlane::testing::error_string;
using foldlane::testing::ErrorsReturn;
using Dims = std::vector<int>;

Dims dims_of(int nodes, Dims dims) {
  EXPECT_EQ(MPI_Dims_create(nodes, static_cast<int>(dims.size()), dims.data()), MPI_SUCCESS) << nodes;
  return dims;
}

Dims free_dims_of(int nodes, std::size_t count) { return dims_of(nodes, Dims(count, 0)); }

/// All non-increasing lists with this product, whatever it takes.
void list_all(int product, std::size_t count, Dims& begun, std::vector<Dims>& all) {
  if (count == 0) {
    if (product == 1) all.push_back(begun);
    return;
  }
  const int most = begun.empty() ? product : std::min(product, begun.back());
  for (int factor = 1; factor <= most; ++factor) {
    if (product % factor != 0) continue;
    begun.push_back(factor);
    list_all(product / factor, count - 1, begun, all);
    begun.pop_back();
  }
}

/// As close to each other as possible: the largest is as near to the smallest as can be, and then as small.
Dims closest(int nodes, std::size_t count) {
  std::vector<Dims> all;
  Dims begun;
  list_all(nodes, count, begun, all);
  return *std::min_element(all.begin(), all.end(), [](const Dims& a, const Dims& b) {
    const int of_a = a.front() - a.back(), of_b = b.front() - b.back();
    return of_a != of_b ? of_a < of_b : a < b;
  });
}

TEST(DimsCreate, FreeDimensionsAreAsCloseAsPossible) {
  for (int nodes = 1; nodes <= 1000; ++nodes)
    for (std::size_t count = 1; count <= 6; ++count)
      ASSERT_EQ(free_dims_of(nodes, count), closest(nodes, count)) << nodes << " in " << count;
}

TEST(DimsCreate, KnownGrids) {
  EXPECT_EQ(free_dims_of(6, 2), (Dims{3, 2}));
  EXPECT_EQ(free_dims_of(7, 2), (Dims{7, 1}));
  EXPECT_EQ(free_dims_of(4096, 3), (Dims{16, 16, 16}));
  EXPECT_EQ(free_dims_of(100'000, 2), (Dims{400, 250}));
  EXPECT_EQ(free_dims_of(46339 * 46337, 2), (Dims{46339, 46337}));
  EXPECT_EQ(free_dims_of(2'147'483'647, 3), (Dims{2'147'483'647, 1, 1}));
  EXPECT_EQ(free_dims_of(1 << 30, 3), (Dims{1024, 1024, 1024}));
  EXPECT_EQ(free_dims_of(1 << 30, 31), [] {
    Dims twos(31, 2);
    twos.back() = 1;
    return twos;
  }());
}

/// Numbers with as many divisors as they come, in as many dimensions as there are: this does not end if the
/// search is a plain one.
TEST(DimsCreate, LargeNumbersTakeNoTime) {
  for (const int nodes :
       {2'095'133'040, 2'147'483'646, 1'396'755'360, 100'000, 1'073'741'824, 2'147'441'940}) {
    for (std::size_t count = 1; count <= 40; ++count) {
      const Dims dims = free_dims_of(nodes, count);
      ASSERT_EQ(std::accumulate(dims.begin(), dims.end(), std::int64_t{1}, std::multiplies<>()), nodes);
      ASSERT_TRUE(std::is_sorted(dims.rbegin(), dims.rend()));
    }
  }
}

TEST(DimsCreate, GivenDimensionsStay) {
  EXPECT_EQ(dims_of(6, {0, 3, 0}), (Dims{2, 3, 1}));
  EXPECT_EQ(dims_of(24, {0, 2, 0}), (Dims{4, 2, 3}));
  EXPECT_EQ(dims_of(24, {4, 6}), (Dims{4, 6}));
  EXPECT_EQ(dims_of(1, {}), Dims{});
  EXPECT_EQ(dims_of(2'147'483'647, {2'147'483'647, 0}), (Dims{2'147'483'647, 1}));
}

void expect_refused(int nodes, Dims dims, const char* why) {
  const Dims before = dims;
  EXPECT_EQ(MPI_Dims_create(nodes, static_cast<int>(dims.size()), dims.data()), MPI_ERR_DIMS);
  EXPECT_NE(error_string(MPI_ERR_DIMS).find(why), std::string::npos) << error_string(MPI_ERR_DIMS);
  EXPECT_EQ(dims, before);
}

TEST(DimsCreate, WhatCannotBeIsRefused) {
  ErrorsReturn errors_return;
  expect_refused(7, {0, 3, 0}, "nnodes is 7, which is no multiple of 3, the product of the given dimensions");
  expect_refused(24, {4, 3}, "nnodes is 24, but the given dimensions have room for 12");
  expect_refused(24, {}, "nnodes is 24, but the given dimensions have room for 1");
  expect_refused(6, {-1, 0}, "dims[0] is -1; it must not be negative");
  expect_refused(0, {0, 0}, "nnodes is 0; it must be positive");
  expect_refused(5, {2'147'483'647, 2'147'483'647, 2'147'483'647, 0}, "nnodes is 5, which is no multiple of");
  EXPECT_EQ(MPI_Dims_create(6, -1, nullptr), MPI_ERR_DIMS);
  EXPECT_EQ(MPI_Dims_create(6, 2, nullptr), MPI_ERR_ARG);
}

TEST(TopoTest, PredefinedCommunicatorsHaveNoTopology) {
  ErrorsReturn errors_return;
  for (MPI_Comm comm : {MPI_COMM_WORLD, MPI_COMM_SELF}) {
    int status = -1;
    EXPECT_EQ(MPI_Topo_test(comm, &status), MPI_SUCCESS);
    EXPECT_EQ(status, MPI_UNDEFINED);
  }
  int status = -1;
  EXPECT_EQ(MPI_Topo_test(MPI_COMM_NULL, &status), MPI_ERR_COMM);
  EXPECT_EQ(MPI_Topo_test(MPI_COMM_WORLD, nullptr), MPI_ERR_ARG);
}

using Pairs = std::vector<std::pair<int, int>>;  // a rank, and its place in the buffer

Pairs pairs_of(const foldlane::api::Neighbourhood::Side& side) {
  Pairs pairs;
  for (const auto& neighbour : side.neighbours) pairs.emplace_back(neighbour.rank, neighbour.block);
  return pairs;
}

void expect_neighbours(const foldlane::api::TopologyGraph& graph, int rank, const Pairs& sources,
                       const Pairs& destinations) {
  const foldlane::api::Neighbourhood found = neighbourhood_of(graph, rank);
  EXPECT_EQ(pairs_of(found.sources), sources);
  EXPECT_EQ(pairs_of(found.destinations), destinations);
}

/// What is sent to the one before comes from the one behind, so that is matched first.
TEST(Neighbourhood, OfAGridHasPairsInReverse) {
  const foldlane::api::Cartesian grid{{{2, true}, {3, false}, {1, true}}};
  expect_neighbours(grid, 0, {{3, 1}, {3, 0}, {1, 3}, {0, 5}, {0, 4}},
                    {{3, 0}, {3, 1}, {1, 3}, {0, 4}, {0, 5}});
  expect_neighbours(grid, 4, {{1, 1}, {1, 0}, {5, 3}, {3, 2}, {4, 5}, {4, 4}},
                    {{1, 0}, {1, 1}, {3, 2}, {5, 3}, {4, 4}, {4, 5}});
  EXPECT_EQ(foldlane::api::neighbourhood_of(grid, 0).sources.blocks, 6) << "one where nobody is, too";
  expect_neighbours(foldlane::api::Cartesian(), 0, {}, {});
}

TEST(Neighbourhood, OfAGraphIsInItsOrder) {
  const foldlane::api::Graph graph{{2, 2, 5}, {1, 1, 2, 0, 2}};
  expect_neighbours(graph, 0, {{1, 0}, {1, 1}}, {{1, 0}, {1, 1}});
  expect_neighbours(graph, 1, {}, {});
  expect_neighbours(graph, 2, {{2, 0}, {0, 1}, {2, 2}}, {{2, 0}, {0, 1}, {2, 2}});
  expect_neighbours(foldlane::api::DistGraph{true, {{3, 0, 3}, {1, 2, 3}}, {{5}, {4}}}, 1,
                    {{3, 0}, {0, 1}, {3, 2}}, {{5, 0}});
}

/// Rank 0 names 1, which names nobody; rank 2 names itself twice, and 0.
TEST(Neighbourhood, SetsEdgesOfOneEndApart) {
  const foldlane::api::Graph graph{{2, 2, 5}, {1, 1, 2, 0, 2}};
  const auto topology_of = [&](int rank) {
    return foldlane::api::Topology(graph, neighbourhood_of(graph, rank));
  };
  const auto all = topology_of(0), some = topology_of(2);
  EXPECT_TRUE(all.neighbourhood.sources.neighbours.empty());
  EXPECT_EQ(all.neighbourhood.destinations.one_sided.size(), 2U);
  EXPECT_EQ(all.neighbourhood.destinations.blocks, 2);
  EXPECT_EQ(pairs_of(some.neighbourhood.sources), (Pairs{{2, 0}, {2, 2}}));
  EXPECT_EQ(some.neighbourhood.sources.neighbours.back().place, 2U);
  EXPECT_EQ(some.neighbourhood.sources.one_sided.size(), 1U);
  EXPECT_TRUE(some.has_one_sided());
}

TEST(CommGetParent, NobodyWasSpawned) {
  ErrorsReturn errors_return;
  MPI_Comm parent = MPI_COMM_WORLD;
  EXPECT_EQ(MPI_Comm_get_parent(&parent), MPI_SUCCESS);
  EXPECT_EQ(parent, MPI_COMM_NULL);
  EXPECT_EQ(MPI_Comm_get_parent(nullptr), MPI_ERR_ARG);
}

}  // namespace
