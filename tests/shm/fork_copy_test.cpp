#include "shm/program_heap/fork_copy.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "shm/segment/heap.hpp"

namespace foldlane::shm {
namespace {

constexpr std::uint64_t kHeapBytes = 64 * kPageBytes;

bool all_are(std::span<const std::byte> bytes, int value) {
  return std::all_of(bytes.begin(), bytes.end(), [&](std::byte each) { return each == std::byte(value); });
}

std::uint64_t committed_bytes(const Segment& segment) {
  struct stat status {};
  fstat(segment.fd(), &status);
  return static_cast<std::uint64_t>(status.st_blocks) * 512;
}

/// Written pages at the start, in the middle and at the end, and one page on each side that is not copied.
TEST(ForkCopy, GivesTheChildItsOwnAndLeavesTheRestShared) {
  Placement placement;
  placement.ranks.assign(1, {{}, -1, 0, 0});
  Segment segment = std::move(Segment::create(shape_of(1, kHeapBytes, {}), placement, 0).value());
  const std::span<std::byte> heap(segment.heap(0), kHeapBytes);
  const auto range = heap.subspan(kPageBytes, kHeapBytes - 2 * kPageBytes);
  const auto first = range.first(10), middle = range.subspan(30 * kPageBytes, 2 * kPageBytes + 1),
             last = range.last(10);
  for (const auto part : {first, middle, last}) std::fill(part.begin(), part.end(), std::byte{1});
  heap.front() = heap.back() = std::byte{1};
  ASSERT_TRUE(copy_on_fork(segment, range).ok());
  const std::uint64_t before = committed_bytes(segment);
  const pid_t child = fork();
  if (child == 0) {
    const bool copied = all_are(first, 1) && all_are(middle, 1) && all_are(last, 1) &&
                        all_are(range.subspan(10 * kPageBytes, kPageBytes), 0);
    std::fill(heap.begin(), heap.end(), std::byte{2});
    _exit(copied ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(committed_bytes(segment), before);
  EXPECT_TRUE(all_are(first, 1) && all_are(middle, 1) && all_are(last, 1));
  EXPECT_TRUE(heap.front() == std::byte{2} && heap.back() == std::byte{2});
}

}  // namespace
}  // namespace foldlane::shm
