// Copies between user buffers and slots.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace foldlane::kernels {

inline constexpr std::size_t kLineBytes = 64;

/// Plain copy through the caches. Buffers do not overlap; any alignment; bytes may be 0.
void copy(void* dst, const void* src, std::size_t bytes) noexcept;

/// The same by the CPU's string instruction, if it has a fast one. That writes whole lines, which it need not
/// have to do so: where another core has them it may be the faster one, and in the caches of its own core it
/// takes longer to begin.
void copy_string(void* dst, const void* src, std::size_t bytes) noexcept;
bool has_string_copy() noexcept;

/// As copy(), for at most kShortCopyBytes, where a call would take longer than the copy.
inline constexpr std::size_t kShortCopyBytes = 64;
inline void copy_short(void* dst, const void* src, std::size_t bytes) noexcept {
  auto* const to = static_cast<std::byte*>(dst);
  const auto* const from = static_cast<const std::byte*>(src);
  // Two moves of a width, which may overlap, do for all lengths from that width to twice that.
  const auto move_both = [&]<std::size_t kWidth>(std::integral_constant<std::size_t, kWidth>) {
    std::byte last[kWidth];
    std::memcpy(last, from + bytes - kWidth, kWidth);
    std::memcpy(to, from, kWidth);
    std::memcpy(to + bytes - kWidth, last, kWidth);
  };
  if (bytes >= 32) return move_both(std::integral_constant<std::size_t, 32>{});
  if (bytes >= 16) return move_both(std::integral_constant<std::size_t, 16>{});
  if (bytes >= 8) return move_both(std::integral_constant<std::size_t, 8>{});
  if (bytes >= 4) return move_both(std::integral_constant<std::size_t, 4>{});
  if (bytes >= 2) return move_both(std::integral_constant<std::size_t, 2>{});
  if (bytes == 1) *to = *from;
}

/// As copy(), for a few lines of a longer copy that takes turns with other work: in as few instructions as
/// there can be, so that the core gets to the other work while memory is at this one.
void copy_strip(void* dst, const void* src, std::size_t bytes) noexcept;

/// Copy whose stores bypass the caches (no read-for-ownership of dst). Ends with the store fence that makes
/// it safe to publish dst with a plain release store afterwards.
void copy_streaming(void* dst, const void* src, std::size_t bytes) noexcept;

/// Ways to copy the same bytes: by copy(), copy_string(), copy_streaming().
enum class CopyBy : std::uint8_t { vectors, string, streaming };
inline void copy(void* dst, const void* src, std::size_t bytes, CopyBy by) noexcept {
  if (by == CopyBy::streaming) return copy_streaming(dst, src, bytes);
  by == CopyBy::string ? copy_string(dst, src, bytes) : copy(dst, src, bytes);
}

/// The same without the fence, for what is written in many parts: end_streaming() before publishing.
void copy_streaming_on(void* dst, const void* src, std::size_t bytes) noexcept;
void end_streaming() noexcept;

/// For functions that do nothing but fetch: GCC 12 takes them for pure, and leaves out what calls of them it
/// does not inline.
inline void keep_calls() noexcept { asm volatile(""); }

/// Fetches the lines of a place while other things go on. A hint.
inline void prefetch(const void* place, std::size_t bytes) noexcept {
  const std::size_t into_line = reinterpret_cast<std::uintptr_t>(place) % kLineBytes;
  for (std::size_t at = 0; at < into_line + bytes; at += kLineBytes)
    __builtin_prefetch(static_cast<const std::byte*>(place) - into_line + at);
  keep_calls();
}

/// Before a place of a few KiB is written whole that another core has read: all its lines are fetched at
/// once, because stores wait for theirs one after the other. Handed over and back, bare, Xeon (Emerald
/// Rapids), ns, without and with: 512 B 329 to 453 and 287 to 339, 2 KiB 582 to 645 and 509 to 590, 8 KiB
/// 1,700 to 2,250 and 1,670 to 1,890. On AMD's cores lines that another one has written come with the right
/// to write them, and this changes little (0.95 to 1.02).
inline void fetch_to_write(std::byte* place, std::size_t bytes) noexcept {
  for (std::size_t at = 0; at < bytes; at += kLineBytes) {
#if defined(__x86_64__)
    asm volatile("prefetchw %0" : : "m"(place[at]));  // which the compiler only uses if told of the CPU
#else
    __builtin_prefetch(place + at, 1);
#endif
  }
  keep_calls();
}

/// As soon as it is known where a result will be written, while it is awaited; `most` bytes of it. Of what
/// lies in no cache the stores would hold up all that follow them, and with these what the caller says next.
inline void fetch_for_result(void* place, std::size_t bytes, std::size_t most) noexcept {
  if (bytes == 0) return;
  const std::size_t into_line = reinterpret_cast<std::uintptr_t>(place) % kLineBytes;
  fetch_to_write(static_cast<std::byte*>(place) - into_line, into_line + (bytes < most ? bytes : most));
}

/// Whether this CPU has an instruction for demote().
bool can_demote() noexcept;
/// After a place of at most a KiB is written that another core reads next: its lines are pushed from this
/// core's own caches into the one that all cores share, out of which a far core gets them in less time. A
/// core that shares the own ones gets them in more. A hint.
inline void demote([[maybe_unused]] const std::byte* place, [[maybe_unused]] std::size_t bytes) noexcept {
#if defined(__x86_64__)
  // No store may come behind it, which would fetch the line back.
  for (std::size_t at = 0; at < bytes; at += kLineBytes)
    asm volatile("cldemote %0" : : "m"(place[at]) : "memory");
#endif
}

}  // namespace foldlane::kernels
