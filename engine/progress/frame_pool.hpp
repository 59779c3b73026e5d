// Memory for coroutine frames, which would otherwise be a malloc in every call: a free list per thread. A
// frame that one thread makes and another one destroys changes lists.
#pragma once

#include <cstddef>
#include <new>

namespace foldlane::engine {

class FramePool {
 public:
  static FramePool& of_thread() noexcept {
    thread_local FramePool pool;
    return pool;
  }

  FramePool() = default;
  FramePool(const FramePool&) = delete;
  FramePool& operator=(const FramePool&) = delete;

  ~FramePool() {
    while (free_ != nullptr) ::operator delete(take());
  }

  void* allocate(std::size_t bytes) {
    if (bytes > kFrameBytes) return ::operator new(bytes);
    return free_ != nullptr ? take() : ::operator new(kFrameBytes);
  }

  void release(void* frame, std::size_t bytes) noexcept {
    if (bytes > kFrameBytes || length_ == kMostFree) return ::operator delete(frame);
    free_ = new (frame) Free{free_};
    ++length_;
  }

  /// More than these are given back: a thread that only ends what others have begun would collect them all.
  static constexpr unsigned kMostFree = 64;
  unsigned free_blocks() const noexcept { return length_; }

 private:
  struct Free {
    Free* next;
  };
  /// The largest frame of engine/ is about 700 bytes at -O2 and 1,300 at -O0; larger ones still work, from
  /// the heap.
  static constexpr std::size_t kFrameBytes = 1536;

  Free* take() {
    Free* block = free_;
    free_ = block->next;
    --length_;
    return block;
  }

  Free* free_ = nullptr;
  unsigned length_ = 0;
};

}  // namespace foldlane::engine
