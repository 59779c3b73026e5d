#include "shm/segment/layout.hpp"

#include <gtest/gtest.h>

namespace foldlane::shm {
namespace {

TEST(Layout, RegionsFollowEachOtherOnPagesForEveryRankCount) {
  for (const int ranks : {1, 2, 3, 16, 17, 64, 127, 128, 129, 256, 4096}) {
    const SegmentShape shape = shape_for(ranks);
    const SegmentMap map = map_of(shape);
    EXPECT_GE(map.launcher_offset, kPageBytes + static_cast<std::uint64_t>(ranks) * sizeof(RankPlaceEntry));
    EXPECT_GE(map.ended_offset, map.launcher_offset + sizeof(LauncherLine));
    EXPECT_GE(map.partitions_offset,
              map.ended_offset + static_cast<std::uint64_t>(ranks) * sizeof(EndedLine));
    EXPECT_GE(map.slots_offset, sizeof(RankLines));
    EXPECT_GE(map.team_lines_offset, map.slots_offset + kSlots * shape.slot_bytes);
    EXPECT_GE(map.partition_bytes, map.team_lines_offset + shape.teams * sizeof(TeamLines));
    EXPECT_GE(map.heaps_offset,
              map.partitions_offset + static_cast<std::uint64_t>(ranks) * map.partition_bytes);
    EXPECT_LT(map.total_bytes, std::uint64_t{1} << 46);
    for (const std::uint64_t offset : {map.launcher_offset, map.ended_offset, map.partitions_offset,
                                       map.partition_bytes, map.slots_offset, map.heaps_offset}) {
      EXPECT_EQ(offset % kPageBytes, 0u);
    }
  }
}

TEST(Layout, EveryRankHasAMebibyteOfSlots) {
  for (const int ranks : {1, 2, 256, 4096}) {
    EXPECT_EQ(kSlots * shape_for(ranks).slot_bytes, 1u << 20);
  }
}

}  // namespace
}  // namespace foldlane::shm
