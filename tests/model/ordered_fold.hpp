// A fold that shows in its result which sources were folded, and in which tree.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "explorer.hpp"

namespace foldlane::model {

inline std::uint64_t folded_tree(const void* const* sources, std::size_t k, std::size_t byte) noexcept {
  if (k == 1) {
    std::uint64_t element = 0;
    std::memcpy(&element, static_cast<const std::byte*>(sources[0]) + byte, sizeof element);
    return element;
  }
  const std::size_t left = std::bit_floor(k - 1);
  return mix(folded_tree(sources, left, byte) + 1, folded_tree(sources + left, k - left, byte));
}

/// A fold in the canonical order that notices any other tree, exchange, loss or repetition of a source.
inline void ordered_fold(void* dst, const void* const* sources, std::size_t k, std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t folded = folded_tree(sources, k, i * sizeof(std::uint64_t));
    std::memcpy(static_cast<std::byte*>(dst) + i * sizeof folded, &folded, sizeof folded);
  }
}

}  // namespace foldlane::model
