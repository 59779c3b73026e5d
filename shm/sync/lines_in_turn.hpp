#pragma once

#include <cstddef>
#include <cstdint>

namespace foldlane::shm {

/// So that it is in this process's tables.
inline void touch_page(const std::byte* page) noexcept {
  static_cast<void>(*static_cast<const volatile std::byte*>(page));
}

/// Reads eight lines of a page one after the other, which takes as long as they need to come from where they
/// are. No two of them are neighbours, and they are in no order: what the hardware fetches ahead are others.
inline void read_lines_in_turn(const std::byte* page) noexcept {
  constexpr std::uint64_t kLines = 8, kBytesOfLine = 64, kLinesOfPage = 64, kStep = 23;
  // For all that the compiler and the core know, a line's address depends on the line before.
  volatile std::uint64_t byte = 0;
  for (std::uint64_t line = 1; line <= kLines; ++line) {
    const std::byte* const at = page + line * kStep % kLinesOfPage * kBytesOfLine + (byte >> 8);
    byte = std::to_integer<std::uint64_t>(*static_cast<const volatile std::byte*>(at));
  }
  static_cast<void>(byte);
}

}  // namespace foldlane::shm
