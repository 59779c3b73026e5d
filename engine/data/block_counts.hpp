// Counts or displacements of members, as the caller has them: one for all, or an array of int or 64-bit
// numbers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace foldlane::engine {

class BlockCounts {
 public:
  static BlockCounts equal(std::int64_t count) { return {nullptr, nullptr, count}; }
  BlockCounts(const int* counts) : BlockCounts(counts, nullptr, 0) {}
  BlockCounts(const std::int64_t* counts) : BlockCounts(nullptr, counts, 0) {}

  /// Null: they are no ints.
  const int* ints() const noexcept { return narrow_; }
  bool are_equal() const noexcept { return narrow_ == nullptr && wide_ == nullptr; }
  std::int64_t operator[](int member) const noexcept {
    if (narrow_ != nullptr) return narrow_[member];
    return wide_ != nullptr ? wide_[member] : same_;
  }
  /// Elements of the blocks before that of `member`.
  std::size_t before(int member) const noexcept {
    if (are_equal()) return static_cast<std::size_t>(member) * static_cast<std::size_t>(same_);
    std::size_t sum = 0;
    for (int m = 0; m < member; ++m) sum += static_cast<std::size_t>((*this)[m]);
    return sum;
  }

 private:
  BlockCounts(const int* narrow, const std::int64_t* wide, std::int64_t same)
      : narrow_(narrow), wide_(wide), same_(same) {}

  const int* narrow_;
  const std::int64_t* wide_;
  std::int64_t same_;
};

}  // namespace foldlane::engine
