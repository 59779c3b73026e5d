#include "engine/job/areas.hpp"

#include <gtest/gtest.h>

namespace foldlane::engine {
namespace {

TEST(Areas, EveryRankHasAMebibyteOfSlots) {
  for (const int ranks : {1, 2, 256, 4096})
    EXPECT_EQ(kSlots * capacity_of(shape_for(ranks)).slot_bytes, 1u << 20);
}

/// A ring of slots in a heap is named by the pages between it and the first one (engine/team/ring.hpp).
TEST(Areas, EveryPlaceIsWithinReachOfEveryOther) {
  for (const int ranks : {1, 64, 1000, 4096})
    EXPECT_LE(shm::map_of(shape_for(ranks)).total_bytes, shm::kReachBytes) << ranks << " ranks";
}

TEST(Areas, HowMuchThereIsIsNoMatterOfTheBuild) {
  const shm::SegmentShape small = shape_for(2, {.teams = 1, .slot_bytes = shm::kPageBytes});
  EXPECT_EQ(capacity_of(small).teams, 1u);
  EXPECT_EQ(capacity_of(small).slot_bytes, shm::kPageBytes);
  EXPECT_EQ(small.layout_hash, layout_hash());
}

TEST(Areas, StatisticsTakeRoomOnlyWhereTheyAreWanted) {
  Capacity wanted = Capacity::usual();
  wanted.records = kCommunicatorRecords;
  EXPECT_EQ(Capacity::usual().records, 0u);
  EXPECT_EQ(capacity_of(shape_for(1, wanted)).records, kCommunicatorRecords);
  const auto bytes = [](const Capacity& capacity) {
    return shm::map_of(shape_for(1, capacity)).heaps_offset;
  };
  EXPECT_GE(bytes(wanted) - bytes(Capacity::usual()), kCommunicatorRecords * sizeof(CommunicatorRecord));
}

/// The parts of an element come first among its fields: each byte but padding belongs to one.
TEST(Areas, TheFieldsOfAnElementCoverIt) {
  for (const shm::Area& area : areas_for(2, Capacity::usual())) {
    if (area.fields.empty()) continue;
    std::uint64_t end = 0;
    for (const shm::Field& field : area.fields) {
      if (field.offset == 0 && end > 0) break;
      EXPECT_EQ(field.offset, end) << area.name << "." << field.name;
      end = field.offset + field.bytes;
    }
    EXPECT_LT(area.shape.element_bytes - end, shm::kAreaAlignment) << area.name;
  }
}

}  // namespace
}  // namespace foldlane::engine
