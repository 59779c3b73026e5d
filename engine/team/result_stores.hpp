// How a rank stores results that might stay in the caches: what is right for small vectors,
// which a program has at hand, may be wrong for the large ones that it walks through.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

#include "engine/team/store_chooser.hpp"

namespace foldlane::engine {

class ResultStores {
 public:
  ResultStores() noexcept { choosers_.fill(StoreChooser(StoreChooser::kResults)); }

  /// The chooser for results of about so many bytes.
  StoreChooser& of(std::size_t bytes) noexcept {
    const auto size_class = static_cast<std::size_t>(std::bit_width(bytes / kFirstClassBytes));
    return choosers_[std::min(size_class, choosers_.size() - 1)];
  }

 private:
  /// All that is smaller shares the first chooser.
  static constexpr std::size_t kFirstClassBytes = 2 << 10;
  /// Powers of two up to 32 MiB; larger vectors fit no cache.
  static constexpr std::size_t kClasses = 16;

  std::array<StoreChooser, kClasses> choosers_;
};

}  // namespace foldlane::engine
