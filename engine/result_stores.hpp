// How a member of direct calls stores results that might stay in the caches: what is right for small vectors,
// which a program has at hand, may be wrong for the large ones that it walks through.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <utility>

#include "engine/store_chooser.hpp"

namespace foldlane::engine {

class ResultStores {
 public:
  /// The chooser for shares of about so many bytes.
  StoreChooser& of(std::size_t bytes) noexcept {
    const auto size_class = static_cast<std::size_t>(std::bit_width(bytes / kSmallestBytes));
    return choosers_[std::min(size_class, choosers_.size() - 1)];
  }

 private:
  static constexpr std::size_t kSmallestBytes = 2 << 10;
  /// Powers of two up to 32 MiB; larger vectors fit no cache.
  static constexpr std::size_t kClasses = 16;

  template <std::size_t... i>
  static std::array<StoreChooser, kClasses> make(std::index_sequence<i...>) {
    return {((void)i, StoreChooser(StoreChooser::kResults))...};
  }
  std::array<StoreChooser, kClasses> choosers_ = make(std::make_index_sequence<kClasses>());
};

}  // namespace foldlane::engine
