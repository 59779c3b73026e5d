// Copies between user buffers and slots.
#pragma once

#include <cstddef>

namespace foldlane::kernels {

/// Plain copy through the caches. Buffers do not overlap; any alignment; bytes may be 0.
void copy(void* dst, const void* src, std::size_t bytes) noexcept;

/// The same for a few lines of a longer copy that takes turns with other work: in as few instructions as
/// there can be, so that the core gets to the other work while memory is at this one.
void copy_strip(void* dst, const void* src, std::size_t bytes) noexcept;

/// Copy whose stores bypass the caches (no read-for-ownership of dst). Ends with the store fence that makes
/// it safe to publish dst with a plain release store afterwards.
void copy_streaming(void* dst, const void* src, std::size_t bytes) noexcept;

/// The same without the fence, for what is written in many parts: end_streaming() before publishing.
void copy_streaming_on(void* dst, const void* src, std::size_t bytes) noexcept;
void end_streaming() noexcept;

/// Fetches the lines of a place while other things go on. A hint. For reading: lines that another core has
/// written come with the right to write them, and prefetches for writing were no faster (0.99 to 1.02).
inline void prefetch(const void* place, std::size_t bytes) noexcept {
  constexpr std::size_t kLineBytes = 64;
  for (std::size_t at = 0; at < bytes; at += kLineBytes)
    __builtin_prefetch(static_cast<const std::byte*>(place) + at);
}

}  // namespace foldlane::kernels
