// Copies through and around the caches. Whole lines are moved in the widest registers of the process's level:
// a core overlaps as much of what memory has to bring and to take as its window of instructions holds.
#include "kernels/copy.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <limits>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "hwy/cache_control.h"
#include "kernels/level.hpp"

// As in fold_simd.cpp.
#define HWY_DISABLED_TARGETS (HWY_AVX3_DL | HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/copy.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#if HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace foldlane::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using LineTag = hn::CappedTag<unsigned char, kLineBytes>;

/// A line is loaded before any of it is stored: a core that cannot tell early whether a load reads what the
/// store before it writes, as in places that are the same modulo 4 KiB, lets the load wait.
void copy_lines(unsigned char* to, const unsigned char* from, std::size_t bytes) noexcept {
  const LineTag d;
  constexpr std::size_t kLanes = hn::MaxLanes(LineTag());
  for (std::size_t line = 0; line < bytes; line += kLineBytes) {
    hn::Vec<LineTag> parts[kLineBytes / kLanes];
    for (std::size_t i = 0; i < kLineBytes / kLanes; ++i) parts[i] = hn::LoadU(d, from + line + i * kLanes);
    for (std::size_t i = 0; i < kLineBytes / kLanes; ++i) hn::StoreU(parts[i], d, to + line + i * kLanes);
  }
}

/// `to` begins with a line.
void stream_lines(unsigned char* to, const unsigned char* from, std::size_t bytes) noexcept {
  const LineTag d;
  for (std::size_t at = 0; at < bytes; at += hn::Lanes(d)) hn::Stream(hn::LoadU(d, from + at), d, to + at);
}

}  // namespace foldlane::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // HWY_TARGET != HWY_SCALAR

#if HWY_ONCE
namespace foldlane::kernels {
namespace {

/// Of whole lines.
using LineCopy = void (*)(unsigned char* to, const unsigned char* from, std::size_t bytes) noexcept;

void copy_bytes(unsigned char* to, const unsigned char* from, std::size_t bytes) noexcept {
  std::memcpy(to, from, bytes);
}

struct LineCopies {
  LineCopy plain;
  LineCopy streaming;
};

/// AArch64's non-temporal pair stores are a hint that cores treat differently, and memcpy of the C library
/// already picks per core; a release store orders all of it. At the scalar level Highway has no vectors.
LineCopies find_line_copies() noexcept {
  switch (chosen_level()) {
#if HWY_ARCH_X86
    case Level::avx512:
      return {N_AVX3::copy_lines, N_AVX3::stream_lines};
    case Level::avx2:
      return {N_AVX2::copy_lines, N_AVX2::stream_lines};
    case Level::sse:
      return {N_SSE4::copy_lines, N_SSE4::stream_lines};
#endif
    default:
      return {copy_bytes, copy_bytes};
  }
}

const LineCopies& line_copies() noexcept {
  static const LineCopies copies = find_line_copies();
  return copies;
}

/// A copy of which only whole lines, and those of `to`, are moved by `whole_lines`.
void copy_by(LineCopy whole_lines, void* dst, const void* src, std::size_t bytes) noexcept {
  auto* const to = static_cast<unsigned char*>(dst);
  const auto* const from = static_cast<const unsigned char*>(src);
  const std::size_t misaligned = reinterpret_cast<std::uintptr_t>(to) % kLineBytes;
  const std::size_t head = misaligned == 0 ? 0 : kLineBytes - misaligned;
  if (bytes < head + kLineBytes) return copy(dst, src, bytes);

  const std::size_t in_lines = (bytes - head) / kLineBytes * kLineBytes;
  copy(to, from, head);
  whole_lines(to + head, from + head, in_lines);
  copy(to + head + in_lines, from + head + in_lines, bytes - head - in_lines);
}

/// What the CPU tells of itself in leaf 7: registers ebx and ecx. Elsewhere nothing.
struct Features {
  unsigned b = 0, c = 0;
};
constexpr unsigned kEnhancedStrings = 1U << 9, kDemotes = 1U << 25;
Features structured_features() noexcept {
  Features features;
#if defined(__x86_64__)
  constexpr unsigned kStructuredFeatures = 7;
  unsigned a = 0, d = 0;
  __get_cpuid_count(kStructuredFeatures, 0, &a, &features.b, &features.c, &d);
#endif
  return features;
}

#if defined(__x86_64__)
void move_string(unsigned char* to, const unsigned char* from, std::size_t bytes) noexcept {
  asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
}

constexpr std::size_t kPageBytes = 4 << 10;

/// Of a few, which the first one has brought into the cache.
double least_nanoseconds_by_string(unsigned char* to, const unsigned char* from) noexcept {
  double least = std::numeric_limits<double>::max();
  for (int times = 0; times < 5; ++times) {
    const auto start = std::chrono::steady_clock::now();
    move_string(to, from, kPageBytes);
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    least = std::min(least, took.count());
  }
  return least;
}

/// Whether it crawls where the destination begins less than a line further into its page than the source: a
/// Zen 3 takes 16 times as long there, a Zen 5 as long as anywhere. A page at the 3 GB/s of that takes more
/// than a microsecond, so that what reading the clock takes does not hide it.
bool crawls_behind() noexcept {
  static const bool crawls = [] {
    alignas(kPageBytes) static std::array<unsigned char, 4 * kPageBytes> pages;
    unsigned char* const to = pages.data() + 2 * kPageBytes;
    constexpr double kCrawls = 4;
    return least_nanoseconds_by_string(to + kLineBytes, pages.data() + kLineBytes - 16) >
           kCrawls * least_nanoseconds_by_string(to + kLineBytes, pages.data() + kPageBytes / 2);
  }();
  return crawls;
}
#endif

}  // namespace

/// Long ones are not left to memcpy, which may carry them out by `rep movsb`: a Zen 3 copies 3 GB/s by that
/// instead of 50 if the destination begins a few bytes further into its page than the source. So do large
/// buffers from malloc, 16 bytes into a page, behind slots and the boxes of two, which begin one.
void copy(void* dst, const void* src, std::size_t bytes) noexcept {
  constexpr std::size_t kLongBytes = 2 << 10;  // glibc's memcpy never does that to shorter ones
  if (bytes >= kLongBytes) return copy_by(line_copies().plain, dst, src, bytes);
  if (bytes != 0) std::memcpy(dst, src, bytes);
}

void copy_string(void* dst, const void* src, std::size_t bytes) noexcept {
#if defined(__x86_64__)
  const auto to = reinterpret_cast<std::uintptr_t>(dst), from = reinterpret_cast<std::uintptr_t>(src);
  const bool is_behind = (to - from) % kPageBytes < kLineBytes;
  if (!is_behind || !crawls_behind()) return copy_by(move_string, dst, src, bytes);
#endif
  copy(dst, src, bytes);
}

bool has_string_copy() noexcept {
  static const bool has = structured_features().b & kEnhancedStrings;
  return has;
}

bool can_demote() noexcept {
  static const bool can = structured_features().c & kDemotes;
  return can;
}

void copy_strip(void* dst, const void* src, std::size_t bytes) noexcept {
  copy_by(line_copies().plain, dst, src, bytes);
}

void copy_streaming_on(void* dst, const void* src, std::size_t bytes) noexcept {
  copy_by(line_copies().streaming, dst, src, bytes);
}

/// Streaming stores are not ordered by a release store: without this fence a reader could see the flag that
/// publishes dst before the bytes of dst.
void end_streaming() noexcept {
#if HWY_ARCH_X86
  hwy::FlushStream();
#endif
}

void copy_streaming(void* dst, const void* src, std::size_t bytes) noexcept {
  copy_streaming_on(dst, src, bytes);
  end_streaming();
}

}  // namespace foldlane::kernels
#endif  // HWY_ONCE
