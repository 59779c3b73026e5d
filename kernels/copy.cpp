// Copies through and around the caches.
#include "kernels/copy.hpp"

#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace foldlane::kernels {

void copy(void* dst, const void* src, std::size_t bytes) noexcept {
  if (bytes != 0) std::memcpy(dst, src, bytes);
}

#ifdef __SSE2__
namespace {

constexpr std::size_t kLineBytes = 64;

/// Streams whole lines to an aligned destination. Four stores of 16 bytes fill one write-combining buffer, so
/// wider registers would not reach memory any faster.
void stream_lines(unsigned char* dst, const unsigned char* src, std::size_t lines) noexcept {
  for (; lines != 0; --lines, dst += kLineBytes, src += kLineBytes) {
    const auto* from = reinterpret_cast<const __m128i*>(src);
    auto* to = reinterpret_cast<__m128i*>(dst);
    const __m128i a = _mm_loadu_si128(from);
    const __m128i b = _mm_loadu_si128(from + 1);
    const __m128i c = _mm_loadu_si128(from + 2);
    const __m128i d = _mm_loadu_si128(from + 3);
    _mm_stream_si128(to, a);
    _mm_stream_si128(to + 1, b);
    _mm_stream_si128(to + 2, c);
    _mm_stream_si128(to + 3, d);
  }
}

}  // namespace

void copy_streaming_on(void* dst, const void* src, std::size_t bytes) noexcept {
  auto* to = static_cast<unsigned char*>(dst);
  const auto* from = static_cast<const unsigned char*>(src);
  const std::size_t misaligned = reinterpret_cast<std::uintptr_t>(to) % kLineBytes;
  const std::size_t head = misaligned == 0 ? 0 : kLineBytes - misaligned;
  if (bytes < head + kLineBytes) return copy(dst, src, bytes);

  const std::size_t lines = (bytes - head) / kLineBytes;
  const std::size_t streamed_end = head + lines * kLineBytes;
  copy(to, from, head);
  stream_lines(to + head, from + head, lines);
  copy(to + streamed_end, from + streamed_end, bytes - streamed_end);
}

/// Streaming stores are not ordered by a release store: without this fence a reader could see the flag that
/// publishes dst before the bytes of dst.
void end_streaming() noexcept { _mm_sfence(); }

#else
/// AArch64's non-temporal pair stores are a hint that cores treat differently, and memcpy of the C library
/// already picks per core; a release store orders all of it.
void copy_streaming_on(void* dst, const void* src, std::size_t bytes) noexcept { copy(dst, src, bytes); }
void end_streaming() noexcept {}
#endif

void copy_streaming(void* dst, const void* src, std::size_t bytes) noexcept {
  copy_streaming_on(dst, src, bytes);
  end_streaming();
}

}  // namespace foldlane::kernels
