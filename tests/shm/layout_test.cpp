#include "shm/segment/layout.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace foldlane::shm {
namespace {

constexpr Field kPair[] = {{"first", 0, 8}, {"second", 8, 8}};

std::vector<Area> some_areas() {
  return {{"ids", {16, 300, Keeper::job, Commit::by_creator}, kPair},
          {"tables", {16, 1000, Keeper::rank, Commit::as_needed}, kPair},
          {"buffers", {2 * kPageBytes, 3, Keeper::rank, Commit::by_rank}},
          {"notes", {16, 7, Keeper::rank, Commit::by_creator}, kPair}};
}

TEST(Layout, RegionsFollowEachOtherOnPagesForEveryRankCount) {
  for (const int ranks : {1, 2, 3, 16, 17, 64, 127, 128, 129, 256, 4096}) {
    const auto many = static_cast<std::uint64_t>(ranks);
    const SegmentMap map = map_of(shape_of(ranks, heap_bytes_for(ranks), some_areas()));
    EXPECT_GE(map.launcher_offset, kPageBytes + many * sizeof(RankPlaceEntry));
    EXPECT_GE(map.ended_offset, map.launcher_offset + sizeof(LauncherLine));
    EXPECT_GE(map.areas[0], map.ended_offset + many * sizeof(EndedLine));
    EXPECT_GE(map.controls_offset, map.areas[0] + 300 * 16);
    EXPECT_GE(map.areas[3], map.controls_offset + sizeof(RankLines));
    EXPECT_GE(map.controls_offset + map.controls_bytes, map.areas[3] + 7 * 16);
    EXPECT_EQ(map.buffers_offset, map.controls_offset + many * map.controls_bytes);
    EXPECT_EQ(map.areas[2], map.buffers_offset);
    EXPECT_GE(map.buffers_bytes, std::uint64_t{3} * 2 * kPageBytes);
    EXPECT_EQ(map.growing_offset, map.buffers_offset + many * map.buffers_bytes);
    EXPECT_EQ(map.areas[1], map.growing_offset);
    EXPECT_GE(map.heaps_offset, map.growing_offset + many * 4 * kPageBytes);  // 256 of 1,000 in a page
    EXPECT_LE(map.total_bytes, kReachBytes);
    for (const std::uint64_t offset :
         {map.launcher_offset, map.ended_offset, map.controls_offset, map.controls_bytes, map.buffers_offset,
          map.buffers_bytes, map.growing_offset, map.heaps_offset}) {
      EXPECT_EQ(offset % kPageBytes, 0u);
    }
    EXPECT_EQ(map.areas[3] % kAreaAlignment, 0u);
  }
}

TEST(Layout, WhatTwoBuildsMustAgreeOnChangesTheHash) {
  const std::uint64_t hash = layout_hash(some_areas());
  std::vector<std::vector<Area>> others(7, some_areas());
  const Field swapped[] = {{"first", 8, 8}, {"second", 0, 8}};
  const Field renamed[] = {{"first", 0, 8}, {"third", 8, 8}};
  const Field shorter[] = {{"first", 0, 4}, {"second", 8, 8}};
  others[0][1].fields = swapped;
  others[1][1].fields = renamed;
  others[2][1].fields = shorter;
  others[3][1].shape.element_bytes = 24;
  others[4][2].shape.commit = Commit::as_needed;
  others[5].pop_back();
  std::swap(others[6][1], others[6][2]);
  for (std::size_t i = 0; i < others.size(); ++i) EXPECT_NE(layout_hash(others[i]), hash) << i;
}

/// The creator of a segment decides it, and the header says it.
TEST(Layout, HowMuchThereIsDoesNotChangeTheHash) {
  std::vector<Area> more = some_areas();
  more[1].shape.elements = 2000;
  more[2].shape = {3 * kPageBytes, 4, Keeper::rank, Commit::by_rank};
  EXPECT_EQ(layout_hash(more), layout_hash(some_areas()));
}

}  // namespace
}  // namespace foldlane::shm
