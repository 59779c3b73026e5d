// Which placements of ranks on nodes keep the canonical order, and which form columns.
#include "api/host/nodes/placement.hpp"

#include <gtest/gtest.h>

#include <vector>

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

}  // namespace
}  // namespace foldlane::host
