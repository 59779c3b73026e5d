// Reads lines one after the other, for those who want to know how long they need to come from where they are.
// In this room because all that is volatile is.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace foldlane::shm {

/// Which ones, of the 64 of a page. No two are neighbours or differ by as much as two others, and none is the
/// first: what the hardware fetches ahead are others.
inline constexpr std::array<std::uint8_t, 8> kLinesInTurn{9, 38, 20, 57, 31, 2, 48, 25};

/// So that it is in this process's tables.
inline void touch_page(const std::byte* page) noexcept {
  static_cast<void>(*static_cast<const volatile std::byte*>(page));
}

/// Of this page. Its content does not matter.
inline void read_lines_in_turn(const std::byte* page) noexcept {
  constexpr std::size_t kBytesOfLine = 64;
  // What was read last. A line's address depends on it, for all that the compiler and the core know: they see
  // 64 bits, of which the upper ones are never set.
  volatile std::uint64_t last = 0;
  for (const std::uint8_t line : kLinesInTurn) {
    const std::byte* const at = page + line * kBytesOfLine + (last >> 8);
    last = std::to_integer<std::uint64_t>(*static_cast<const volatile std::byte*>(at));
  }
  static_cast<void>(last);
}

}  // namespace foldlane::shm
