// One of each for vectors of about the same size: what is right for small ones, which a program has at hand,
// may be wrong for the large ones that it walks through.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <utility>

namespace foldlane::engine {

template <class T>
class BySize {
 public:
  explicit BySize(const T& each) : BySize(each, std::make_index_sequence<kClasses>()) {}

  T& of(std::size_t bytes) noexcept {
    const auto size_class = static_cast<std::size_t>(std::bit_width(bytes / kFirstClassBytes));
    return items_[std::min(size_class, kClasses - 1)];
  }

 private:
  template <std::size_t... kIndex>
  BySize(const T& each, std::index_sequence<kIndex...>) : items_{(static_cast<void>(kIndex), each)...} {}

  /// All that is smaller shares the first class.
  static constexpr std::size_t kFirstClassBytes = 2 << 10;
  /// Powers of two up to 32 MiB; larger vectors fit no cache.
  static constexpr std::size_t kClasses = 16;

  std::array<T, kClasses> items_;
};

}  // namespace foldlane::engine
