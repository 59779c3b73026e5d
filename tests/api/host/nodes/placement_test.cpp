// Which placements of ranks on nodes keep the canonical order, which form columns, and where blocks lie.
#include "api/host/nodes/placement.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "api/host/nodes/node_order.hpp"

namespace foldlane::host {
namespace {

Placement placed(const std::vector<int>& nodes) { return Placement(nodes); }

TEST(Placement, NumbersNodesByTheirFirstMembers) {
  const Placement placement = placed({7, 3, 7, 3, 3});
  EXPECT_EQ(placement.nodes(), 2);
  EXPECT_EQ(placement.columns(), 2);
  EXPECT_EQ(placement.size(), 5);
  EXPECT_EQ(placement.seat(4).node, 1);
  EXPECT_EQ(placement.seat(4).index, 2);
}

TEST(Placement, IsCanonicalInBlocksOfAPowerOfTwo) {
  EXPECT_TRUE(placed({0, 0, 1, 1}).is_canonical());
  EXPECT_TRUE(placed({0, 1, 2}).is_canonical());
  EXPECT_TRUE(placed({0, 0, 0, 0, 1, 1, 1}).is_canonical());
  EXPECT_TRUE(placed({0, 0, 1, 1, 2}).is_canonical());
}

TEST(Placement, IsNotCanonicalElsewhere) {
  EXPECT_FALSE(placed({0, 0, 0, 1, 1, 1}).is_canonical());
  EXPECT_FALSE(placed({0, 1, 1}).is_canonical());
  EXPECT_FALSE(placed({0, 1, 0, 1}).is_canonical());
  EXPECT_FALSE(placed({0, 0, 1, 2, 2}).is_canonical());
}

TEST(Placement, SaysWhetherAllNodesHaveAsManyMembers) {
  EXPECT_TRUE(placed({0, 1, 0, 1}).has_equal_nodes());
  EXPECT_FALSE(placed({0, 1, 0, 1}).in_equal_blocks());
  EXPECT_FALSE(placed({0, 0, 1}).has_equal_nodes());
}

TEST(NodeOrder, PutsTheBlocksOfANodeTogether) {
  const Placement placement = placed({5, 2, 5, 2, 2});
  const NodeOrder order(placement, [](int member) { return 10 + member; });
  EXPECT_EQ(order.start(0), 0U);
  EXPECT_EQ(order.start(2), 10U);
  EXPECT_EQ(order.start(1), 22U);
  EXPECT_EQ(order.start_of_node(1), 22U);
  EXPECT_EQ(order.bytes_of_node(1), 11U + 13U + 14U);
  EXPECT_EQ(order.total(), 60U);
  const engine::Shares shares = order.shares_on(1);
  EXPECT_EQ(shares.start(2), 24U);
  EXPECT_EQ(shares.count(2), 14U);
  EXPECT_EQ(order.parts().start(1), 22);
}

TEST(NodeOrder, KnowsBlocksWithoutBytes) {
  const Placement placement = placed({0, 0, 1});
  const NodeOrder order(placement, [](int member) { return member == 1 ? 8 : 0; });
  EXPECT_EQ(order.start(1), 0U);
  EXPECT_EQ(order.shares_on(0).count(0), 0U);
  EXPECT_EQ(order.parts().bytes(1), 0);
  EXPECT_EQ(order.parts().total(), 8U);
}

}  // namespace
}  // namespace foldlane::host
