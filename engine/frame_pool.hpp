// // Memory for coroutine frames, which would otherwise be a malloc in every call. One pool per process;
// frames are few and small.
#pragma once

#include <cstddef>
#include <new>

namespace foldlane::engine {

class FramePool {
 public:
  FramePool() = default;
  FramePool(const FramePool&) = delete;
  FramePool& operator=(const FramePool&) = delete;

  ~FramePool() {
    while (free_ != nullptr) ::operator delete(take());
  }

  /// The block remembers its pool in a header, because a coroutine's operator delete sees only the pointer.
  void* allocate(std::size_t bytes) {
    if (bytes > kFrameBytes) return emplace(::operator new(kHeaderBytes + bytes), nullptr);
    return emplace(free_ != nullptr ? take() : ::operator new(kHeaderBytes + kFrameBytes), this);
  }

  static void release(void* frame) noexcept {
    auto* header = reinterpret_cast<Header*>(static_cast<std::byte*>(frame) - kHeaderBytes);
    FramePool* pool = header->pool;
    if (pool == nullptr) return ::operator delete(header);
    header->next = pool->free_;
    pool->free_ = header;
  }

 private:
  struct Header {
    FramePool* pool;
    Header* next;
  };
  static constexpr std::size_t kHeaderBytes = alignof(std::max_align_t) > sizeof(Header)
                                                  ? alignof(std::max_align_t)
                                                  : sizeof(Header);
  /// The largest frame of engine/ is about 700 bytes at -O2 and 1,300 at -O0; larger ones still work, from
  /// the heap.
  static constexpr std::size_t kFrameBytes = 1536;

  static void* emplace(void* block, FramePool* pool) {
    new (block) Header{pool, nullptr};
    return static_cast<std::byte*>(block) + kHeaderBytes;
  }
  Header* take() {
    Header* block = free_;
    free_ = block->next;
    return block;
  }

  Header* free_ = nullptr;
};

}  // namespace foldlane::engine
