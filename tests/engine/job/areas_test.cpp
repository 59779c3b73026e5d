#include "engine/job/areas.hpp"

#include <gtest/gtest.h>

namespace foldlane::engine {
namespace {

TEST(Areas, EveryRankHasAMebibyteOfSlots) {
  for (const int ranks : {1, 2, 256, 4096})
    EXPECT_EQ(kSlots * capacity_of(shape_for(ranks)).slot_bytes, 1u << 20);
}

TEST(Areas, HowMuchThereIsIsNoMatterOfTheBuild) {
  const shm::SegmentShape small = shape_for(2, {.teams = 1, .slot_bytes = shm::kPageBytes});
  EXPECT_EQ(capacity_of(small).teams, 1u);
  EXPECT_EQ(capacity_of(small).slot_bytes, shm::kPageBytes);
  EXPECT_EQ(small.layout_hash, layout_hash());
}

/// The parts of an element come first among its fields: each byte but padding belongs to one.
TEST(Areas, TheFieldsOfAnElementCoverIt) {
  for (const shm::Area& area : areas_for(Capacity::usual())) {
    if (area.fields.empty()) continue;
    std::uint64_t end = 0;
    for (const shm::Field& field : area.fields) {
      if (end == area.shape.element_bytes) break;
      EXPECT_EQ(field.offset, end) << area.name << "." << field.name;
      end = field.offset + field.bytes;
    }
    EXPECT_LT(area.shape.element_bytes - end, shm::kLineBytes) << area.name;
  }
}

}  // namespace
}  // namespace foldlane::engine
