// Large allocations of a rank's heap: in huge pages where the system grants them, and where they come to lie.
#include "shm/segment/huge_pages.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <sstream>

#include "shm/segment/heap.hpp"

namespace foldlane::shm {
namespace {

constexpr std::uint64_t kHeapBytes = 5 * kHugePageBytes;

Segment make_segment() {
  Placement placement;
  placement.ranks.assign(2, {{}, -1, 0, 0});
  return std::move(Segment::create(shape_of(2, kHeapBytes, {}), placement, 0).value());
}

/// Of the mapping around a place, as this process has mapped it by now.
std::uint64_t huge_bytes_around(const void* place) {
  std::ifstream maps("/proc/self/smaps");
  bool inside = false;
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t first = 0, last = 0;
    char dash = 0;
    std::istringstream range(line);
    if (range >> std::hex >> first >> dash >> last && dash == '-')
      inside = reinterpret_cast<std::uintptr_t>(place) - first < last - first;
    if (inside && line.starts_with("ShmemPmdMapped:")) return std::stoull(line.substr(15)) * 1024;
  }
  return 0;
}

class HugePages : public testing::Test {
 protected:
  std::byte* allocate(std::uint64_t bytes) { return static_cast<std::byte*>(heap_.allocate(bytes).value()); }
  std::uint64_t committed_bytes() const {
    struct stat status {};
    fstat(segment_.fd(), &status);
    return static_cast<std::uint64_t>(status.st_blocks) * 512;
  }
  std::uint64_t place_of(const std::byte* at) const {
    return static_cast<std::uint64_t>(at - segment_.heap(1));
  }

  Segment segment_ = make_segment();
  Heap heap_{segment_, 1};
};

TEST_F(HugePages, CanBeWhereAWindowBegins) {
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(segment_.heap(0)) % kHugePageBytes, 0u);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(segment_.heap(1)) % kHugePageBytes, 0u);
}

TEST_F(HugePages, HoldWhatContainsWholeOnes) {
  std::byte* const large = allocate(2 * kHugePageBytes + kPageBytes);
  const bool granted = why_no_huge_pages().empty();
  EXPECT_EQ(huge_bytes_around(large), granted ? 2 * kHugePageBytes : 0);
}

TEST_F(HugePages, CostNoMoreThanIsAskedFor) {
  const std::uint64_t before = committed_bytes();
  std::byte* const large = allocate(kHugePageBytes + kPageBytes);
  EXPECT_EQ(committed_bytes(), before + kHugePageBytes + kPageBytes);
  EXPECT_TRUE(heap_.deallocate(large).ok());
  EXPECT_EQ(committed_bytes(), before);
}

TEST_F(HugePages, AreZeroAndTheSameForAll) {
  std::byte* const large = allocate(kHugePageBytes);
  for (std::uint64_t i = 0; i < kHugePageBytes; i += 512) ASSERT_EQ(large[i], std::byte{0}) << i;
  large[kPageBytes] = std::byte{7};
  const Segment other =
      std::move(Segment::attach(segment_.fd(), segment_.header().shape.layout_hash).value());
  EXPECT_EQ(other.heap(1)[place_of(large) + kPageBytes], std::byte{7});
}

TEST_F(HugePages, BeginWhereALargeAllocationDoes) {
  allocate(kPageBytes);
  EXPECT_EQ(place_of(allocate(kHugePageBytes)), kHugePageBytes);
  EXPECT_EQ(place_of(allocate(kPageBytes)), kPageBytes);  // what was left before it is not lost
  EXPECT_EQ(place_of(allocate(kHugePageBytes - kPageBytes)), 2 * kHugePageBytes);
}

TEST_F(HugePages, AreNoReasonToRefuseWhatFitsWithoutThem) {
  allocate(kPageBytes);
  const std::byte* const rest = allocate(kHeapBytes - kPageBytes);
  EXPECT_EQ(place_of(rest), kPageBytes);
  EXPECT_FALSE(heap_.allocate(1).ok());
}

}  // namespace
}  // namespace foldlane::shm
