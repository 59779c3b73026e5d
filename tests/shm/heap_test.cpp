#include "shm/segment/heap.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>

namespace foldlane::shm {
namespace {

constexpr std::uint64_t kHeapBytes = 16 * kPageBytes;

class HeapTest : public ::testing::Test {
 protected:
  static Segment make() {
    Placement placement;
    placement.ranks.assign(2, {{}, -1, 0, 0});
    return std::move(Segment::create(shape_of(2, kHeapBytes, {}), placement, 0).value());
  }
  std::uint64_t committed_bytes() const {
    struct stat status {};
    fstat(segment_.fd(), &status);
    return static_cast<std::uint64_t>(status.st_blocks) * 512;
  }

  Segment segment_ = make();
  Heap heap_{segment_, 1};
};

TEST_F(HeapTest, HandsOutWritableMemoryInsideTheOwnersWindow) {
  auto* bytes = static_cast<std::byte*>(heap_.allocate(10000).value());
  EXPECT_GE(bytes, segment_.heap(1));
  EXPECT_LE(bytes + 10000, segment_.heap(1) + kHeapBytes);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(bytes) % kPageBytes, 0u);
  std::memset(bytes, 1, 10000);
}

TEST_F(HeapTest, GivesMemoryBackToTheSystem) {
  const std::uint64_t before = committed_bytes();
  void* memory = heap_.allocate(3 * kPageBytes).value();
  EXPECT_EQ(committed_bytes(), before + 3 * kPageBytes);
  EXPECT_TRUE(heap_.deallocate(memory).ok());
  EXPECT_EQ(committed_bytes(), before);
}

TEST_F(HeapTest, MergesWhatIsFreedInAnyOrder) {
  void* a = heap_.allocate(5 * kPageBytes).value();
  void* b = heap_.allocate(5 * kPageBytes).value();
  void* c = heap_.allocate(6 * kPageBytes).value();
  EXPECT_FALSE(heap_.allocate(1).ok());
  EXPECT_TRUE(heap_.deallocate(a).ok());
  EXPECT_TRUE(heap_.deallocate(c).ok());
  EXPECT_TRUE(heap_.deallocate(b).ok());
  EXPECT_TRUE(heap_.allocate(16 * kPageBytes).ok());
}

TEST_F(HeapTest, SetsAsideHalfOfTheWindowUncommitted) {
  const std::uint64_t before = committed_bytes();
  const std::span<std::byte> half = heap_.set_aside_half();
  EXPECT_EQ(half.data(), segment_.heap(1) + kHeapBytes / 2);
  EXPECT_EQ(half.size(), kHeapBytes / 2);
  EXPECT_EQ(committed_bytes(), before);
  const auto refused = heap_.allocate(kHeapBytes / 2 + 1);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("window has 32768 bytes"), std::string::npos)
      << refused.error().message;
  EXPECT_EQ(heap_.allocate(kHeapBytes / 2).value(), segment_.heap(1));
  EXPECT_FALSE(heap_.allocate(1).ok());
}

TEST_F(HeapTest, StoresIntoTheWindowBreakNoBookkeeping) {
  void* a = heap_.allocate(kPageBytes).value();
  void* b = heap_.allocate(kPageBytes).value();
  EXPECT_TRUE(heap_.deallocate(a).ok());
  std::memset(segment_.heap(1), 0xff, kHeapBytes);
  EXPECT_EQ(heap_.allocate(kPageBytes).value(), a);
  EXPECT_TRUE(heap_.deallocate(b).ok());
  EXPECT_EQ(heap_.allocate(kHeapBytes - kPageBytes).value(), b);
}

TEST_F(HeapTest, ZeroBytesAreDistinctAllocations) {
  void* a = heap_.allocate(0).value();
  void* b = heap_.allocate(0).value();
  EXPECT_NE(a, b);
  EXPECT_TRUE(heap_.deallocate(a).ok());
  EXPECT_TRUE(heap_.deallocate(b).ok());
}

TEST_F(HeapTest, RefusesWhatItCannotGiveAndWhatItNeverGave) {
  const auto huge = heap_.allocate(~std::size_t{0});
  ASSERT_FALSE(huge.ok());
  EXPECT_EQ(huge.error().code, Errc::no_memory);
  EXPECT_NE(huge.error().message.find("18446744073709551615"), std::string::npos);
  auto* memory = static_cast<std::byte*>(heap_.allocate(8).value());
  EXPECT_EQ(heap_.deallocate(memory + 1).error().code, Errc::invalid);
  EXPECT_EQ(heap_.deallocate(nullptr).error().code, Errc::invalid);
  EXPECT_TRUE(heap_.deallocate(memory).ok());
  EXPECT_EQ(heap_.deallocate(memory).error().code, Errc::invalid);
}

}  // namespace
}  // namespace foldlane::shm
