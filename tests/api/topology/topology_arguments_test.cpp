// Topologies of one rank: which arguments are refused, and with what words; what the smallest ones are like.
#include <array>
#include <functional>
#include <string>
#include <vector>

#include "support/mpi_world.hpp"

namespace {

using foldlane::testing::error_string;

class TopologyArguments : public ::testing::Test {
 protected:
  TopologyArguments() {
    MPI_Cart_create(MPI_COMM_SELF, 2, dims.data(), periods.data(), 0, &cart);
    MPI_Cart_create(MPI_COMM_SELF, 0, nullptr, nullptr, 0, &point);
    MPI_Graph_create(MPI_COMM_SELF, 1, &two, loops.data(), 0, &graph);
    MPI_Dist_graph_create_adjacent(MPI_COMM_SELF, 2, loops.data(), loops.data(), 1, loops.data(),
                                   loops.data(), MPI_INFO_NULL, 0, &dist);
    for (MPI_Comm comm : {cart, point, graph, dist}) MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  }
  ~TopologyArguments() override {
    for (MPI_Comm* comm : {&cart, &point, &graph, &dist}) MPI_Comm_free(comm);
  }

  static void refused(int code, int expected, const std::string& why) {
    EXPECT_EQ(code, expected);
    EXPECT_NE(error_string(code).find(why), std::string::npos) << error_string(code);
  }

  const std::array<int, 2> dims{1, 1}, periods{0, 7}, loops{0, 0};
  const int zero = 0, one = 1, two = 2, minus = -1;
  MPI_Comm cart = MPI_COMM_NULL, point = MPI_COMM_NULL, graph = MPI_COMM_NULL, dist = MPI_COMM_NULL;
  MPI_Comm made = MPI_COMM_SELF;
  int a = -7, b = -7, c = -7;
  foldlane::testing::ErrorsReturn errors_return;
};

TEST_F(TopologyArguments, OfCartCreate) {
  const auto create = [&](int ndims, const int* extents, const int* periodic) {
    return MPI_Cart_create(MPI_COMM_SELF, ndims, extents, periodic, 0, &made);
  };
  const std::array<int, 2> wide{1, 2}, none{1, 0}, huge{2'147'483'647, 2'147'483'647};
  refused(create(-1, dims.data(), periods.data()), MPI_ERR_DIMS, "ndims is -1; it must not be negative");
  refused(create(2, nullptr, periods.data()), MPI_ERR_ARG, "dims");
  refused(create(2, dims.data(), nullptr), MPI_ERR_ARG, "periods");
  refused(create(2, none.data(), periods.data()), MPI_ERR_DIMS, "dims[1] is 0; it must be positive");
  refused(
      create(2, wide.data(), periods.data()), MPI_ERR_DIMS,
      "MPI_Cart_create on MPI_COMM_SELF: the first 2 of dims ask for 2 ranks, but the communicator has 1");
  refused(create(2, huge.data(), periods.data()), MPI_ERR_DIMS, "ask for 2147483647 ranks");
  refused(MPI_Cart_create(MPI_COMM_NULL, 0, nullptr, nullptr, 0, &made), MPI_ERR_COMM, "MPI_COMM_NULL");
  EXPECT_EQ(made, MPI_COMM_SELF);
  refused(MPI_Cart_create(MPI_COMM_SELF, 0, nullptr, nullptr, 0, nullptr), MPI_ERR_ARG, "comm_cart");
  refused(MPI_Cart_map(MPI_COMM_SELF, 2, wide.data(), periods.data(), &a), MPI_ERR_DIMS, "MPI_Cart_map");
  refused(MPI_Cart_map(MPI_COMM_SELF, 2, dims.data(), periods.data(), nullptr), MPI_ERR_ARG, "newrank");
}

TEST_F(TopologyArguments, OfCallsAboutGrids) {
  std::array<int, 2> coords{0, 0}, more{};
  refused(MPI_Cart_get(cart, 1, coords.data(), more.data(), more.data()), MPI_ERR_ARG,
          "maxdims is 1, but there are 2 dimensions");
  refused(MPI_Cart_get(cart, 2, coords.data(), nullptr, more.data()), MPI_ERR_ARG, "periods");
  refused(MPI_Cart_coords(cart, 1, 2, coords.data()), MPI_ERR_RANK, "rank is 1; the ranks are 0 to 0");
  refused(MPI_Cart_coords(cart, 0, 1, coords.data()), MPI_ERR_ARG, "maxdims is 1");
  refused(MPI_Cart_coords(cart, 0, 2, nullptr), MPI_ERR_ARG, "coords");
  refused(MPI_Cart_shift(cart, 2, 1, &a, &b), MPI_ERR_DIMS, "direction is 2; the dimensions are 0 to 1");
  refused(MPI_Cart_shift(cart, -1, 1, &a, &b), MPI_ERR_DIMS, "direction is -1");
  refused(MPI_Cart_shift(cart, 0, 1, &a, nullptr), MPI_ERR_ARG, "rank_dest");
  refused(MPI_Cart_sub(cart, nullptr, &made), MPI_ERR_ARG, "remain_dims");
  refused(MPI_Cart_sub(cart, dims.data(), nullptr), MPI_ERR_ARG, "newcomm");
  refused(MPI_Cartdim_get(cart, nullptr), MPI_ERR_ARG, "ndims");
  refused(MPI_Cart_rank(cart, nullptr, &a), MPI_ERR_ARG, "coords");
  coords = {1, 0};
  refused(MPI_Cart_rank(cart, coords.data(), &a), MPI_ERR_ARG,
          "coords[0] is 1; in this dimension, which is not periodic, the coordinates are 0 to 0");
  coords = {0, -12345};
  EXPECT_EQ(MPI_Cart_rank(cart, coords.data(), &a), MPI_SUCCESS);
  EXPECT_EQ(a, 0);
}

TEST_F(TopologyArguments, OfAGridWithoutDimensions) {
  EXPECT_EQ(MPI_Cartdim_get(point, &a), MPI_SUCCESS);
  EXPECT_EQ(a, 0);
  EXPECT_EQ(MPI_Cart_get(point, 0, nullptr, nullptr, nullptr), MPI_SUCCESS);
  EXPECT_EQ(MPI_Cart_get(point, 1, &b, &b, &b), MPI_SUCCESS);
  EXPECT_EQ(MPI_Cart_coords(point, 0, 1, &b), MPI_SUCCESS);
  EXPECT_EQ(b, -7);
  EXPECT_EQ(MPI_Cart_rank(point, nullptr, &c), MPI_SUCCESS);
  EXPECT_EQ(c, 0);
  refused(MPI_Cart_shift(point, 0, 1, &a, &b), MPI_ERR_DIMS, "the topology has no dimension to shift along");
  MPI_Comm slice = MPI_COMM_NULL;
  EXPECT_EQ(MPI_Cart_sub(point, nullptr, &slice), MPI_SUCCESS);
  EXPECT_EQ(MPI_Cartdim_get(slice, &a), MPI_SUCCESS);
  EXPECT_EQ(a, 0);
  MPI_Comm_free(&slice);
}

TEST_F(TopologyArguments, OfGraphCreate) {
  const auto create = [&](int nodes, const int* index, const int* edges) {
    return MPI_Graph_create(MPI_COMM_SELF, nodes, index, edges, 0, &made);
  };
  const std::array<int, 2> outside{0, 1};
  refused(create(2, loops.data(), loops.data()), MPI_ERR_TOPOLOGY,
          "nnodes is 2; it must not be negative, nor more than the 1 ranks of the communicator");
  refused(create(-1, loops.data(), loops.data()), MPI_ERR_TOPOLOGY, "nnodes is -1");
  refused(create(1, nullptr, loops.data()), MPI_ERR_ARG, "index");
  refused(create(1, &two, nullptr), MPI_ERR_ARG, "edges");
  refused(create(1, &minus, loops.data()), MPI_ERR_TOPOLOGY, "index[0] is -1; it must be no less than 0");
  refused(create(1, &two, outside.data()), MPI_ERR_TOPOLOGY, "edges[1] is 1; the nodes are 0 to 0");
  EXPECT_EQ(made, MPI_COMM_SELF);
  refused(MPI_Graph_create(MPI_COMM_SELF, 0, nullptr, nullptr, 0, nullptr), MPI_ERR_ARG, "comm_graph");
  EXPECT_EQ(create(0, nullptr, nullptr), MPI_SUCCESS);
  EXPECT_EQ(made, MPI_COMM_NULL);
  EXPECT_EQ(MPI_Graph_map(MPI_COMM_SELF, 0, nullptr, nullptr, &a), MPI_SUCCESS);
  EXPECT_EQ(a, MPI_UNDEFINED);
  refused(MPI_Graph_map(MPI_COMM_SELF, 1, &two, outside.data(), &a), MPI_ERR_TOPOLOGY, "edges[1]");
}

TEST_F(TopologyArguments, OfCallsAboutGraphs) {
  std::array<int, 2> got{-7, -7};
  EXPECT_EQ(MPI_Graph_get(graph, 1, 2, &a, got.data()), MPI_SUCCESS);
  EXPECT_EQ(a, 2);
  EXPECT_EQ(got, loops);
  refused(MPI_Graph_get(graph, 0, 2, &a, got.data()), MPI_ERR_ARG, "maxindex is 0, but there are 1 nodes");
  refused(MPI_Graph_get(graph, 1, 1, &a, got.data()), MPI_ERR_ARG, "maxedges is 1, but there are 2 edges");
  refused(MPI_Graph_get(graph, 1, 2, &a, nullptr), MPI_ERR_ARG, "edges");
  refused(MPI_Graphdims_get(graph, &a, nullptr), MPI_ERR_ARG, "nedges");
  refused(MPI_Graph_neighbors_count(graph, 1, &a), MPI_ERR_RANK, "rank is 1; the ranks are 0 to 0");
  refused(MPI_Graph_neighbors(graph, -1, 2, got.data()), MPI_ERR_RANK, "rank is -1");
  refused(MPI_Graph_neighbors(graph, 0, 1, got.data()), MPI_ERR_ARG,
          "maxneighbors is 1, but there are 2 neighbours");
  refused(MPI_Graph_neighbors(graph, 0, 2, nullptr), MPI_ERR_ARG, "neighbors");
}

TEST_F(TopologyArguments, OfDistGraphCreate) {
  const auto create = [&](int n, const int* sources, const int* degrees, const int* destinations,
                          const int* weights, MPI_Info info = MPI_INFO_NULL) {
    return MPI_Dist_graph_create(MPI_COMM_SELF, n, sources, degrees, destinations, weights, info, 0, &made);
  };
  const int* const zeros = loops.data();
  refused(create(-1, zeros, zeros, zeros, zeros), MPI_ERR_COUNT, "n is -1; it must not be negative");
  refused(create(1, zeros, &minus, zeros, zeros), MPI_ERR_COUNT, "degrees[0] is -1; it must not be negative");
  refused(create(1, &two, &one, zeros, zeros), MPI_ERR_RANK, "sources[0] is 2; the ranks are 0 to 0");
  refused(create(1, zeros, &one, &minus, zeros), MPI_ERR_RANK, "destinations[0] is -1; the ranks are 0 to 0");
  refused(create(1, zeros, &one, zeros, &minus), MPI_ERR_ARG, "weights[0] is -1; it must not be negative");
  refused(create(1, zeros, &one, zeros, MPI_WEIGHTS_EMPTY), MPI_ERR_ARG,
          "weights is MPI_WEIGHTS_EMPTY, but there are 1 edges");
  refused(create(1, nullptr, &one, zeros, zeros), MPI_ERR_ARG, "sources");
  refused(create(1, zeros, nullptr, zeros, zeros), MPI_ERR_ARG, "degrees");
  refused(create(1, zeros, &one, nullptr, zeros), MPI_ERR_ARG, "destinations");
  refused(create(1, zeros, &one, zeros, nullptr), MPI_ERR_ARG, "weights");
  refused(create(0, zeros, zeros, zeros, zeros, reinterpret_cast<MPI_Info>(0x7777)), MPI_ERR_INFO, "");
  EXPECT_EQ(made, MPI_COMM_SELF);
  EXPECT_EQ(create(1, zeros, &zero, nullptr, MPI_WEIGHTS_EMPTY), MPI_SUCCESS);
  EXPECT_EQ(MPI_Dist_graph_neighbors_count(made, &a, &b, &c), MPI_SUCCESS);
  EXPECT_EQ((std::array{a, b, c}), (std::array{0, 0, 1}));
  MPI_Comm_free(&made);
  EXPECT_EQ(create(0, nullptr, nullptr, nullptr, MPI_UNWEIGHTED), MPI_SUCCESS);
  EXPECT_EQ(MPI_Dist_graph_neighbors_count(made, &a, &b, &c), MPI_SUCCESS);
  EXPECT_EQ(c, 0);
  MPI_Comm_free(&made);
}

TEST_F(TopologyArguments, OfDistGraphCreateAdjacent) {
  const auto create = [&](int in, const int* sources, const int* source_weights, int out,
                          const int* destinations, const int* weights) {
    return MPI_Dist_graph_create_adjacent(MPI_COMM_SELF, in, sources, source_weights, out, destinations,
                                          weights, MPI_INFO_NULL, 0, &made);
  };
  const int* const zeros = loops.data();
  refused(create(-1, zeros, zeros, 0, zeros, zeros), MPI_ERR_COUNT, "indegree is -1");
  refused(create(0, zeros, zeros, -1, zeros, zeros), MPI_ERR_COUNT, "outdegree is -1");
  refused(create(1, &one, zeros, 0, zeros, zeros), MPI_ERR_RANK, "sources[0] is 1; the ranks are 0 to 0");
  refused(create(0, zeros, zeros, 1, &minus, zeros), MPI_ERR_RANK, "destinations[0] is -1");
  refused(create(1, zeros, &minus, 0, zeros, zeros), MPI_ERR_ARG, "sourceweights[0] is -1");
  refused(create(1, zeros, zeros, 1, zeros, MPI_WEIGHTS_EMPTY), MPI_ERR_ARG,
          "destweights is MPI_WEIGHTS_EMPTY");
  refused(create(1, zeros, MPI_UNWEIGHTED, 1, zeros, zeros), MPI_ERR_ARG,
          "one of sourceweights and destweights is MPI_UNWEIGHTED");
  EXPECT_EQ(made, MPI_COMM_SELF);
}

TEST_F(TopologyArguments, OfDistGraphNeighbors) {
  std::array<int, 2> in{-7, -7}, weights{-7, -7};
  refused(MPI_Dist_graph_neighbors(dist, -1, in.data(), weights.data(), 0, &a, &b), MPI_ERR_COUNT,
          "maxindegree is -1; it must not be negative");
  refused(MPI_Dist_graph_neighbors(dist, 2, in.data(), weights.data(), -1, &a, &b), MPI_ERR_COUNT,
          "maxoutdegree is -1");
  refused(MPI_Dist_graph_neighbors(dist, 2, nullptr, weights.data(), 1, &a, &b), MPI_ERR_ARG, "sources");
  refused(MPI_Dist_graph_neighbors(dist, 2, in.data(), MPI_WEIGHTS_EMPTY, 1, &a, &b), MPI_ERR_ARG,
          "sourceweights is MPI_WEIGHTS_EMPTY, but there are 2 edges");
  refused(MPI_Dist_graph_neighbors_count(dist, &a, &b, nullptr), MPI_ERR_ARG, "weighted");
  EXPECT_EQ(MPI_Dist_graph_neighbors(dist, 1, in.data(), weights.data(), 5, &a, &b), MPI_SUCCESS);
  EXPECT_EQ(in, (std::array{0, -7}));
  EXPECT_EQ(weights, (std::array{0, -7}));
  EXPECT_EQ((std::array{a, b}), (std::array{0, 0}));
}

TEST_F(TopologyArguments, NameTheKindThatIsMissing) {
  const char* const no_grid = "the communicator has no Cartesian topology";
  for (MPI_Comm comm : {MPI_COMM_WORLD, graph, dist}) {
    refused(MPI_Cartdim_get(comm, &a), MPI_ERR_TOPOLOGY, no_grid);
    refused(MPI_Cart_get(comm, 1, &a, &b, &c), MPI_ERR_TOPOLOGY, no_grid);
    refused(MPI_Cart_rank(comm, &a, &b), MPI_ERR_TOPOLOGY, no_grid);
    refused(MPI_Cart_coords(comm, 0, 1, &b), MPI_ERR_TOPOLOGY, no_grid);
    refused(MPI_Cart_shift(comm, 0, 1, &a, &b), MPI_ERR_TOPOLOGY, no_grid);
    refused(MPI_Cart_sub(comm, &a, &made), MPI_ERR_TOPOLOGY, no_grid);
  }
  for (MPI_Comm comm : {MPI_COMM_SELF, cart, dist}) {
    refused(MPI_Graphdims_get(comm, &a, &b), MPI_ERR_TOPOLOGY, "no graph topology");
    refused(MPI_Graph_get(comm, 1, 1, &a, &b), MPI_ERR_TOPOLOGY, "no graph topology");
    refused(MPI_Graph_neighbors_count(comm, 0, &a), MPI_ERR_TOPOLOGY, "no graph topology");
    refused(MPI_Graph_neighbors(comm, 0, 1, &a), MPI_ERR_TOPOLOGY, "no graph topology");
  }
  for (MPI_Comm comm : {MPI_COMM_SELF, cart, graph}) {
    refused(MPI_Dist_graph_neighbors_count(comm, &a, &b, &c), MPI_ERR_TOPOLOGY,
            "no distributed graph topology");
    refused(MPI_Dist_graph_neighbors(comm, 0, &a, &a, 0, &a, &a), MPI_ERR_TOPOLOGY,
            "no distributed graph topology");
  }
}

}  // namespace
