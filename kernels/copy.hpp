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

}  // namespace foldlane::kernels
