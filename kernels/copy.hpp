// Copies between user buffers and slots.
#pragma once

#include <cstddef>

namespace foldlane::kernels {

/// Plain copy through the caches. Buffers do not overlap; any alignment; bytes may be 0.
void copy(void* dst, const void* src, std::size_t bytes) noexcept;

/// Copy whose stores bypass the caches (no read-for-ownership of dst). Ends with the store fence that makes
/// it safe to publish dst with a plain release store afterwards.
void copy_streaming(void* dst, const void* src, std::size_t bytes) noexcept;

/// The same without the fence, for what is written in many parts: end_streaming() before publishing.
void copy_streaming_on(void* dst, const void* src, std::size_t bytes) noexcept;
void end_streaming() noexcept;

/// Fetches the lines of a place that is about to be written, while other things go on. A hint.
inline void prefetch_for_writing(const void* place, std::size_t bytes) noexcept {
  constexpr std::size_t kLineBytes = 64;
  for (std::size_t at = 0; at < bytes; at += kLineBytes) {
    __builtin_prefetch(static_cast<const std::byte*>(place) + at, 1);
  }
}

}  // namespace foldlane::kernels
