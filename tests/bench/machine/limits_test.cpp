// What every rank of a case must move, from which the memory limit is measured.
#include "bench/machine/limits.hpp"

#include <gtest/gtest.h>

namespace foldlane::bench {
namespace {

using All = std::vector<Traffic>;

All traffic(const std::string& call, int root = 0) {
  return traffic_of({.call = call, .bytes = 240, .ranks = 3, .root = root});
}

TEST(Traffic, IsTheWholeInputAndTheWholeResult) {
  for (const char* call : {"allreduce", "scan", "exscan"})
    EXPECT_EQ(traffic(call), All(3, {240, 240})) << call;
}

TEST(Traffic, LeavesOutWhatOnlyTheRootHas) {
  EXPECT_EQ(traffic("reduce", 1), (All{{240, 0}, {240, 240}, {240, 0}}));
  EXPECT_EQ(traffic("bcast", 2), (All{{0, 240}, {0, 240}, {240, 0}}));
}

TEST(Traffic, WritesAShareIfTheResultIsScattered) {
  EXPECT_EQ(traffic("reduce_scatter"), All(3, {240, 80}));
  EXPECT_EQ(traffic("reduce_scatter_block"), All(3, {240, 80}));
}

TEST(Traffic, OfBlocksIsWhatARankGivesAndGets) {
  constexpr std::size_t kOne = 240, kAll = 3 * kOne;
  for (const char* call : {"alltoall", "alltoallv", "alltoallw"})
    EXPECT_EQ(traffic(call), All(3, {kAll, kAll})) << call;
  for (const char* call : {"allgather", "iallgatherv"})
    EXPECT_EQ(traffic(call), All(3, {kOne, kAll})) << call;
  for (const char* call : {"gather", "gatherv_init"})
    EXPECT_EQ(traffic(call, 1), (All{{kOne, 0}, {kOne, kAll}, {kOne, 0}})) << call;
  for (const char* call : {"scatter", "scatterv"})
    EXPECT_EQ(traffic(call, 2), (All{{0, kOne}, {0, kOne}, {kAll, kOne}})) << call;
}

TEST(Traffic, OfBlocksAmongNeighboursIsThatOfTwoBlocks) {
  EXPECT_EQ(traffic("neighbor_alltoall"), All(3, {480, 480}));
  EXPECT_EQ(traffic("ineighbor_allgather"), All(3, {240, 480}));
}

TEST(Traffic, OfBlocksLeavesOutWhatIsInPlace) {
  const auto in_place = [](const char* call) {
    return traffic_of({.call = call, .bytes = 240, .ranks = 3, .root = 1, .in_place = true});
  };
  EXPECT_EQ(in_place("alltoall"), All(3, {480, 480}));
  EXPECT_EQ(in_place("allgather"), All(3, {240, 480}));
  EXPECT_EQ(in_place("gather"), (All{{240, 0}, {0, 480}, {240, 0}}));
  EXPECT_EQ(in_place("scatter"), (All{{0, 240}, {480, 0}, {0, 240}}));
}

TEST(Traffic, OfMessagesIsACopyByWhoeverReceives) {
  const auto traffic_of_4 = [](const char* call) {
    return traffic_of({.call = call, .bytes = 240, .ranks = 4});
  };
  const Traffic one{240, 240}, window{64 * 240, 64 * 240}, of_three{3 * 16 * 240, 3 * 16 * 240};
  EXPECT_EQ(traffic_of_4("pingpong"), (All{{}, one, {}, one}));
  EXPECT_EQ(traffic_of_4("stream"), (All{{}, window, {}, window}));
  EXPECT_EQ(traffic_of_4("unexpected"), (All{{}, window, {}, window}));
  EXPECT_EQ(traffic_of_4("bidirectional"), All(4, window));
  EXPECT_EQ(traffic_of_4("exchange"), All(4, one));
  EXPECT_EQ(traffic_of_4("incast"), (All{of_three, {}, {}, {}}));
}

TEST(Traffic, ReadsBothOperandsOfALocalFold) { EXPECT_EQ(traffic("reduce_local"), All(3, {480, 240})); }

TEST(Traffic, OfAFoldIsOnOneCpu) {
  Case what;
  what.call = "fold";
  what.ranks = 8;
  what.bytes = 1000;
  EXPECT_EQ(traffic_of(what), (std::vector<Traffic>{{8000, 1000}}));
}

}  // namespace
}  // namespace foldlane::bench
