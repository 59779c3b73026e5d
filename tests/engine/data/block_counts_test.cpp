#include "engine/data/block_counts.hpp"

#include <gtest/gtest.h>

namespace foldlane::engine {
namespace {

TEST(BlockCounts, ReadsEveryFormTheCallerMayHave) {
  const int narrow[] = {1, 2, 3};
  const std::int64_t wide[] = {std::int64_t{1} << 40, 5};
  EXPECT_EQ(BlockCounts(narrow)[2], 3);
  EXPECT_EQ(BlockCounts(wide)[0], std::int64_t{1} << 40);
  EXPECT_EQ(BlockCounts::equal(7)[1000], 7);
}

}  // namespace
}  // namespace foldlane::engine
