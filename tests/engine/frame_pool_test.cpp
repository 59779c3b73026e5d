#include "engine/frame_pool.hpp"

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
  FramePool::release(first);
  EXPECT_EQ(pool.allocate(700), first);
  FramePool::release(first);
  FramePool::release(second);
}

TEST(FramePool, LargeFramesComeFromTheHeap) {
  FramePool pool;
  void* large = pool.allocate(1 << 20);
  std::memset(large, 1, 1 << 20);
  FramePool::release(large);
}

}  // namespace
}  // namespace foldlane::engine
