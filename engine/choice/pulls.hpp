// Which long messages a receiver wants to pull out of the sender's memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/choice/by_size.hpp"

namespace foldlane::engine {

/// By size.
class Pulls {
 public:
  struct Wanted {
    bool usual = false;
    bool tries_other = false;  // with one message at a time
    /// So does the receiver send to the sender: it decides for both (mutual_choices.hpp).
    bool for_both = false;
  };

  constexpr Pulls() = default;
  constexpr explicit Pulls(std::uint64_t word) noexcept : word_(word) {}
  constexpr std::uint64_t word() const noexcept { return word_; }

  constexpr Wanted of(std::size_t bytes) const noexcept {
    const std::uint64_t bits = word_ >> place(bytes);
    return {(bits & kUsual) != 0, (bits & kTriesOther) != 0, (bits & kForBoth) != 0};
  }
  constexpr void try_other(std::size_t bytes) noexcept { word_ |= kTriesOther << place(bytes); }
  constexpr void set(std::size_t bytes, const Wanted& wanted) noexcept {
    const std::uint64_t bits = (wanted.usual ? kUsual : 0) | (wanted.tries_other ? kTriesOther : 0) |
                               (wanted.for_both ? kForBoth : 0);
    word_ = (word_ & ~(kAll << place(bytes))) | bits << place(bytes);
  }

 private:
  static constexpr std::uint64_t kUsual = 1, kTriesOther = 2, kForBoth = 4, kAll = 7;
  static constexpr unsigned kBits = 3;
  static_assert(kBits * kSizeClasses <= 64);
  static constexpr unsigned place(std::size_t bytes) noexcept {
    return kBits * static_cast<unsigned>(size_class(bytes));
  }

  std::uint64_t word_ = 0;
};

}  // namespace foldlane::engine
