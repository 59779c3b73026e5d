#include "engine/progress/frame_pool.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace foldlane::engine {
namespace {

TEST(FramePool, HandsTheSameBlockOutAgain) {
  FramePool pool;
  void* first = pool.allocate(100);
  void* second = pool.allocate(100);
  EXPECT_NE(first, second);
  std::memset(first, 1, 100);
  pool.release(first, 100);
  EXPECT_EQ(pool.allocate(700), first);
  pool.release(first, 700);
  pool.release(second, 100);
}

TEST(FramePool, LargeFramesComeFromTheHeap) {
  FramePool pool;
  pool.release(pool.allocate(100), 100);
  void* large = pool.allocate(1 << 20);
  EXPECT_EQ(pool.free_blocks(), 1u);  // what is there is too small
  std::memset(large, 1, 1 << 20);
  pool.release(large, 1 << 20);
  EXPECT_EQ(pool.free_blocks(), 1u);
}

TEST(FramePool, KeepsNoMoreThanItMayNeedOfWhatOthersHaveMade) {
  FramePool makes, ends;
  for (unsigned i = 0; i < 4 * FramePool::kMostFree; ++i) ends.release(makes.allocate(100), 100);
  EXPECT_EQ(ends.free_blocks(), FramePool::kMostFree);
  EXPECT_EQ(makes.free_blocks(), 0u);
}

}  // namespace
}  // namespace foldlane::engine
