// Room in memory that is given out piece by piece: pieces never overlap, lie inside, and are found wherever a
// ring of messages (MPI-5.0, 3.6.4) would have room.
#include "api/objects/buffer_space.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <deque>
#include <random>
#include <vector>

namespace {

using foldlane::api::BufferSpace;

struct Piece {
  std::byte* at;
  std::size_t bytes;
  int pattern;
};

void fill(const Piece& piece) { std::memset(piece.at, piece.pattern, piece.bytes); }
bool is_whole(const Piece& piece) {
  for (std::size_t i = 0; i < piece.bytes; ++i) {
    if (piece.at[i] != static_cast<std::byte>(piece.pattern)) return false;
  }
  return true;
}

TEST(BufferSpace, NothingFitsIntoNothing) {
  std::byte none;
  for (std::size_t bytes = 0; bytes < 32; ++bytes) {
    BufferSpace space(&none, bytes == 0 ? 0 : 1);
    EXPECT_EQ(space.take(bytes), nullptr);
  }
}

TEST(BufferSpace, APieceCostsNoMoreThanItsOverhead) {
  for (std::size_t shift = 0; shift < 16; ++shift) {
    for (const std::size_t bytes : std::initializer_list<std::size_t>{0, 1, 15, 16, 17, 100}) {
      std::vector<std::byte> memory(4 * (bytes + BufferSpace::kPieceOverhead) + 16 + shift);
      BufferSpace space(memory.data() + shift, memory.size() - shift);
      for (int i = 0; i < 4; ++i) {
        std::byte* const piece = space.take(bytes);
        ASSERT_NE(piece, nullptr) << bytes << " bytes, piece " << i;
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(piece) % 16, 0);
        EXPECT_LE(piece + bytes, memory.data() + memory.size());
      }
    }
  }
}

TEST(BufferSpace, AnAbsurdSizeDoesNotFit) {
  std::vector<std::byte> memory(1000);
  BufferSpace space(memory.data(), memory.size());
  for (std::size_t bytes : {std::size_t{1001}, ~std::size_t{0}, ~std::size_t{0} - 20})
    EXPECT_EQ(space.take(bytes), nullptr);
}

TEST(BufferSpace, AllIsFreeAgainAfterwards) {
  std::vector<std::byte> memory(2000);
  BufferSpace space(memory.data(), memory.size());
  const std::size_t before = space.free();
  EXPECT_GE(before, memory.size() - 15);
  std::byte* const a = space.take(100);
  std::byte* const b = space.take(200);
  std::byte* const c = space.take(300);
  EXPECT_LT(space.free(), before - 600);
  space.give_back(b);
  space.give_back(c);
  space.give_back(a);
  EXPECT_EQ(space.free(), before);
  EXPECT_NE(space.take(before - BufferSpace::kPieceOverhead), nullptr) << "the gaps did not become one";
}

TEST(BufferSpace, ARingOfPiecesGoesOnForEver) {
  // Two of three fit beside each other at any time, and the oldest one goes.
  std::vector<std::byte> memory(3 * (400 + BufferSpace::kPieceOverhead));
  BufferSpace space(memory.data(), memory.size());
  std::deque<std::byte*> ring;
  for (int i = 0; i < 1000; ++i) {
    if (ring.size() == 2) {
      space.give_back(ring.front());
      ring.pop_front();
    }
    ring.push_back(space.take(static_cast<std::size_t>(200 + i * 7 % 200)));
    ASSERT_NE(ring.back(), nullptr) << i;
  }
}

TEST(BufferSpace, PiecesNeverOverlap) {
  std::vector<std::byte> memory(8000);
  BufferSpace space(memory.data() + 3, 7990);
  const std::size_t all = space.free();
  std::mt19937 random(1);
  std::vector<Piece> pieces;
  int refused = 0;
  for (int i = 0; i < 20'000; ++i) {
    if (random() % 2 == 0) {
      const Piece piece{space.take(static_cast<std::size_t>(i % 500)), static_cast<std::size_t>(i % 500),
                        i % 251};
      if (piece.at == nullptr) {
        ++refused;
        continue;
      }
      ASSERT_TRUE(piece.at >= memory.data() + 3 && piece.at + piece.bytes <= memory.data() + 7993);
      fill(piece);
      pieces.push_back(piece);
    } else if (!pieces.empty()) {
      const std::size_t which = random() % pieces.size();
      ASSERT_TRUE(is_whole(pieces[which]));
      space.give_back(pieces[which].at);
      pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(which));
    }
  }
  EXPECT_GT(refused, 0) << "it was never full";
  for (const Piece& piece : pieces) space.give_back(piece.at);
  EXPECT_EQ(space.free(), all);
}

}  // namespace
