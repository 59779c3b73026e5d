// How a long message is cut, and whether its sender still offers it.
#include "engine/p2p/transfers/transfer_lines.hpp"

#include <gtest/gtest.h>

#include "engine/data/pieces.hpp"
#include "shm/sync/atoms.hpp"

namespace foldlane::engine {
namespace {

/// One part of a message stands for all that it takes per byte, so it is a whole one.
TEST(Chunks, TheLastWholeOneIsNoRemainder) {
  for (const std::uint64_t power : {8U << 10, 16U << 10, 128U << 10, 1U << 20}) {
    for (const std::uint64_t bytes : {power, power + 1, power + 64, power + (5 << 10)}) {
      const Chunks chunks(bytes);
      int last_whole = 0;
      for (std::uint64_t chunk = 0; chunk < chunks.count(); ++chunk) {
        if (!chunks.is_last_whole(chunk)) continue;
        ++last_whole;
        EXPECT_EQ(chunks.bytes(chunk), chunks.bytes(0)) << bytes;
        EXPECT_GE(chunk + 2, chunks.count()) << bytes;
      }
      EXPECT_EQ(last_whole, 1) << bytes;
    }
  }
}

TEST(Chunks, OneThatIsAllOfAShortMessageStandsForIt) { EXPECT_TRUE(Chunks(100).is_last_whole(0)); }

TEST(Pieces, CoverAMessageOnce) {
  EXPECT_EQ(Pieces(16 << 10).count(), 1u);
  EXPECT_EQ(Pieces((16 << 10) + 1).count(), 2u);
  EXPECT_EQ(Pieces(32 << 10).count(), 2u);
  for (const std::uint64_t bytes : {8193U, 16385U, 65536U, 131073U, 3U << 20}) {
    const Pieces pieces(bytes);
    std::uint64_t covered = 0;
    for (std::uint64_t piece = 0; piece < pieces.count(); ++piece) {
      EXPECT_EQ(pieces.offset(piece), covered) << bytes;
      covered += pieces.bytes(piece);
    }
    EXPECT_EQ(covered, bytes);
    EXPECT_EQ(pieces.bytes(0, pieces.count()), bytes) << "all of them at once";
    EXPECT_EQ(pieces.bytes(0, 1), pieces.bytes(0));
  }
}

/// What the system refuses then says nothing: the buffer may be gone.
TEST(PieceClaims, AMessageThatWasWithdrawnIsNotOffered) {
  BasicPieceLines<shm::RealAtoms> lines{};
  BasicPieceClaims<shm::RealAtoms> claims(lines, 4);
  claims.begin();
  EXPECT_TRUE(claims.is_offered());
  EXPECT_TRUE(claims.withdraw());
  EXPECT_FALSE(claims.is_offered());
}

}  // namespace
}  // namespace foldlane::engine
