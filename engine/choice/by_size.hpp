// One of each for vectors of about the same size: what is right for small ones, which a program has at hand,
// may be wrong for the large ones that it walks through.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <optional>
#include <utility>

#include "engine/choice/decision.hpp"

namespace foldlane::engine {

/// Powers of two up to 32 MiB; larger vectors fit no cache. All below 2 KiB are the first class.
inline constexpr std::size_t kSizeClasses = 16;
inline constexpr std::size_t size_class(std::size_t bytes) noexcept {
  constexpr std::size_t kFirstClassBytes = 2 << 10;
  return std::min(static_cast<std::size_t>(std::bit_width(bytes / kFirstClassBytes)), kSizeClasses - 1);
}

template <class T>
class BySize {
 public:
  explicit BySize(const T& each) : BySize(each, std::make_index_sequence<kSizeClasses>()) {}

  T& of(std::size_t bytes) noexcept { return items_[size_class(bytes)]; }
  /// The same of choosers. One that is new begins with this arm.
  T& beginning_with(std::size_t bytes, Arm likely) noexcept {
    T& own = of(bytes);
    if (own.is_new()) [[unlikely]]
      own.begin_with(likely);
    return own;
  }
  /// One that is new begins as the nearest one that has decided, smaller ones first: on one machine what is
  /// right for 1 MiB is mostly right for 4, and better than what is right on another one. If none has, it
  /// begins with `likely`, or else with a trial.
  T& informed(std::size_t bytes, std::optional<Arm> likely = {}) noexcept {
    T& own = of(bytes);
    if (!own.is_new()) [[likely]]
      return own;
    if (const T* const nearest = nearest_decided(size_class(bytes))) {
      own.begin_like(*nearest);
    } else if (likely) {
      own.begin_with(*likely);
    }
    return own;
  }

 private:
  const T* nearest_decided(std::size_t own) const noexcept {
    for (std::size_t smaller = own; smaller-- > 0;)
      if (items_[smaller].has_decided()) return &items_[smaller];
    for (std::size_t larger = own + 1; larger < kSizeClasses; ++larger)
      if (items_[larger].has_decided()) return &items_[larger];
    return nullptr;
  }

  template <std::size_t... kIndex>
  BySize(const T& each, std::index_sequence<kIndex...>) : items_{(static_cast<void>(kIndex), each)...} {}

  std::array<T, kSizeClasses> items_;
};

}  // namespace foldlane::engine
