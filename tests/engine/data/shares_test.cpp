#include "engine/data/shares.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace foldlane::engine {
namespace {

TEST(Shares, EqualSharesCoverTheVectorOnceAndDifferByAGranuleAtMost) {
  for (const std::size_t count :
       {std::size_t{0}, std::size_t{1}, std::size_t{63}, std::size_t{64}, std::size_t{65},
        std::size_t{1000003}, std::size_t{1} << 40, (std::size_t{1} << 60) + 12345}) {
    for (const int members : {1, 2, 3, 7, 8, 256}) {
      for (const std::size_t elem_bytes : {1u, 2u, 8u, 12u, 32u}) {
        const Shares shares = Shares::equal(count, members, elem_bytes);
        const std::size_t granule = 64 / elem_bytes;
        std::size_t next = 0;
        for (int member = 0; member < members; ++member) {
          ASSERT_EQ(shares.start(member), next);
          next += shares.count(member);
        }
        ASSERT_EQ(next, count);
        ASSERT_LE(shares.largest(), (count / granule / static_cast<std::size_t>(members) + 1) * granule);
      }
    }
  }
}

TEST(Shares, BoundariesOfEqualSharesFallOnLines) {
  const Shares shares = Shares::equal(1000, 3, 8);
  EXPECT_EQ(shares.start(1) % 8, 0u);
  EXPECT_EQ(shares.start(2) % 8, 0u);
}

TEST(Shares, PiecesOfAShareCoverItOnce) {
  const std::vector<std::int64_t> counts{0, 10, 3, 7};
  const Shares shares = Shares::blocks(counts.data(), 4);
  EXPECT_EQ(shares.total(), 20u);
  EXPECT_EQ(shares.largest(), 10u);
  for (int member = 0; member < 4; ++member) {
    std::size_t next = shares.start(member);
    for (std::uint64_t chunk = 0; chunk < 3; ++chunk) {
      const Piece piece = shares.piece(member, chunk, 4);
      EXPECT_EQ(piece.start, next);
      EXPECT_LE(piece.count, 4u);
      next += piece.count;
    }
    EXPECT_EQ(next, shares.start(member) + shares.count(member));
    EXPECT_EQ(shares.piece(member, 1000, 4).count, 0u);
  }
}

}  // namespace
}  // namespace foldlane::engine
