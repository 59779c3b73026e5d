// Blocks in a row lie where their numbers say, and nobody is asked for them.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "engine/moves/movement.hpp"
#include "engine/moves/row_move.hpp"

namespace foldlane::engine {
namespace {

std::array<std::byte, 1024> memory;

/// Of such a form, which fails if it is a row and asked all the same.
class Row final : public Blocks {
 public:
  Row(const BlockRow& row, int count, bool is_row = true) : count_(count) {
    row_ = row;
    is_row_ = is_row;
  }
  int count() const noexcept override { return count_; }

 private:
  Block block_at(int i) const noexcept override {
    EXPECT_FALSE(is_row_) << "a row was asked for block " << i;
    return row_.at(i);
  }

  int count_;
};

std::vector<int> order_of(const Blocks& blocks, int first, int visits = 100) {
  std::vector<int> members;
  for_each_from(blocks, first, [&](const Block& block) {
    members.push_back(block.member);
    return --visits > 0;
  });
  return members;
}

std::size_t offset_of(const Block& block) {
  return static_cast<std::size_t>(block.buffer.address - memory.data());
}

TEST(Rows, EqualBlocksLieOneBehindTheOther) {
  const RowBlocks each(equal_row({memory.data(), 24}, true), 5);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(each.at(i).member, i);
    EXPECT_EQ(offset_of(each.at(i)), static_cast<std::size_t>(24 * i));
    EXPECT_EQ(each.at(i).buffer.bytes, 24U);
    EXPECT_TRUE(each.at(i).buffer.contiguous());
  }
}

TEST(Rows, OneBlockIsForAll) {
  const RowBlocks one(equal_row({memory.data() + 8, 24}, false), 3);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(offset_of(one.at(i)), 8U);
}

TEST(Rows, AListHasItsOwnPlacesAndLengths) {
  const std::array counts{3, 0, 2};
  const std::array places{5, 9, 1};
  const Row list({.start = memory.data(),
                  .element_bytes = 8,
                  .first_member = 10,
                  .is_list = true,
                  .counts = counts.data(),
                  .places = places.data(),
                  .place_bytes = 16},
                 3);
  EXPECT_EQ(list.at(0).member, 10);
  EXPECT_EQ(list.at(2).member, 12);
  EXPECT_EQ(offset_of(list.at(0)), 80U);
  EXPECT_EQ(offset_of(list.at(2)), 16U);
  EXPECT_EQ(list.at(0).buffer.bytes, 24U);
  EXPECT_EQ(list.at(1).buffer.bytes, 0U);
  EXPECT_EQ(list.at(2).buffer.bytes, 16U);
}

/// Lists of ints have a text of their own.
TEST(Rows, ListsOfAnyNumbersAreVisitedAlike) {
  const std::array counts{3, 1, 0, 2};
  const std::array places{5, -2, 9, 1};
  const std::array<std::int64_t, 4> wide_counts{3, 1, 0, 2}, wide_places{5, -2, 9, 1};
  BlockRow row{.start = memory.data() + 256,
               .element_bytes = 8,
               .first_member = 10,
               .skipped = 3,
               .is_list = true,
               .counts = counts.data(),
               .places = places.data(),
               .place_bytes = 16};
  const auto visit = [&] {
    std::vector<std::array<std::size_t, 3>> visited;
    for_each_from(Row(row, 4), 1, [&](const Block& block) {
      const bool is_block = block.buffer.bytes > 0;
      visited.push_back({static_cast<std::size_t>(block.member), is_block ? offset_of(block) : 0,
                         static_cast<std::size_t>(block.buffer.bytes)});
      return true;
    });
    return visited;
  };
  const std::vector<std::array<std::size_t, 3>> expected{{11, 224, 8}, {12, 0, 0}, {13, 0, 0}, {10, 336, 24}};
  EXPECT_TRUE(row.is_int_list());
  EXPECT_EQ(visit(), expected);
  row.counts = wide_counts.data();
  EXPECT_FALSE(row.is_int_list());
  EXPECT_EQ(visit(), expected);
  row.places = wide_places.data();
  EXPECT_EQ(visit(), expected);
}

TEST(Rows, ASkippedPlaceHasAMemberButNoBytes) {
  const Row row({.start = memory.data(), .first_member = 4, .skipped = 1, .stride = 8, .bytes = 8}, 3);
  EXPECT_EQ(row.at(1).member, 5);
  EXPECT_EQ(row.at(1).buffer.bytes, 0U);
  EXPECT_EQ(row.at(2).buffer.bytes, 8U);
}

TEST(Rows, AMemberIsFoundInRowsAsInOthers) {
  const BlockRow row{.start = memory.data(), .first_member = 4, .stride = 8, .bytes = 8};
  for (const bool is_row : {true, false}) {
    const Row blocks(row, 3, is_row);
    EXPECT_EQ(blocks.place_of(4), 0);
    EXPECT_EQ(blocks.place_of(6), 2);
    EXPECT_EQ(blocks.place_of(7), 3) << "behind the last";
    EXPECT_EQ(blocks.place_of(3), 3) << "before the first";
    EXPECT_EQ(blocks.place_of(5, 1), 1);
    EXPECT_EQ(blocks.place_of(5, 2), 3) << "only later places count";
  }
}

TEST(Rows, AreVisitedFromAPlaceOnAndUntilTheBodyHasEnough) {
  const BlockRow row{.start = memory.data(), .stride = 8, .bytes = 8};
  for (const bool is_row : {true, false}) {
    const Row blocks(row, 4, is_row);
    EXPECT_EQ(order_of(blocks, 0), (std::vector{0, 1, 2, 3}));
    EXPECT_EQ(order_of(blocks, 3), (std::vector{3, 0, 1, 2}));
    EXPECT_EQ(order_of(blocks, 2, 3), (std::vector{2, 3, 0}));
    EXPECT_EQ(order_of(Row(row, 0, is_row), 0), std::vector<int>());
  }
}

TEST(Rows, OfAMoveBeginWithTheMemberBehindThisOne) {
  const BlockRow given = equal_row({memory.data(), 8}, true),
                 taken = equal_row({memory.data() + 100, 8}, true);
  const RowMove middle(3, 1, given, taken, 8), last(3, 2, given, taken, 8);
  EXPECT_EQ(offset_of(middle.movement().sends->at(2)), 16U);
  EXPECT_EQ(offset_of(middle.movement().receives->at(2)), 116U);
  EXPECT_EQ(middle.movement().first, 2) << "no two members begin with the same one";
  EXPECT_EQ(middle.movement().block_bytes, 8U);
  EXPECT_EQ(last.movement().first, 0);
}

}  // namespace
}  // namespace foldlane::engine
