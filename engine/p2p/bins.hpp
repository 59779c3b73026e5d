// Lists by what a message says of itself: a message finds the receives that want it, and a receive the
// messages that fit, without looking at the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/p2p/envelope.hpp"

namespace foldlane::engine {

/// A source and a tag, each of which may be any.
struct BinKey {
  std::uint64_t value;

  constexpr BinKey(int source, int tag) noexcept
      : value(std::uint64_t{static_cast<std::uint32_t>(source - kAnySource)} << 32 |
              static_cast<std::uint32_t>(tag - kAnyTag)) {}
};
static_assert(BinKey(kAnySource, kAnyTag).value == 0);

/// An open hash table. Lists that have become empty stay until it is full: a program that counts its tags up
/// must not make it grow for ever.
template <class List>
class Bins {
 public:
  /// Null: there is no such list, that is, it is empty.
  const List* find(BinKey key) const noexcept {
    if (mask_ == 0) return nullptr;
    const Bin& bin = bins_[place_of(key.value)];
    return bin.key == key.value ? &bin.list : nullptr;
  }
  List* find(BinKey key) noexcept { return const_cast<List*>(std::as_const(*this).find(key)); }
  /// It stays where it is until the next call.
  List& at(BinKey key) {
    if (2 * used_ >= mask_) make_room();
    Bin& bin = bins_[place_of(key.value)];
    if (bin.key == kFree) {
      bin.key = key.value;
      ++used_;
    }
    return bin.list;
  }

  template <class Use>
  void for_each(const Use& use) const {
    for (const Bin& bin : bins_) use(bin.list);
  }

 private:
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};  // no rank is 2^32 - 1
  static constexpr std::size_t kFewest = 8;
  struct Bin {
    std::uint64_t key = kFree;
    List list{};
  };

  /// Where it is, or would be. The upper bits of the product depend on all bits of the key.
  std::size_t place_of(std::uint64_t key) const noexcept {
    constexpr std::uint64_t kGoldenRatio = 0x9e3779b97f4a7c15;
    std::size_t place = static_cast<std::size_t>(key * kGoldenRatio >> 32) & mask_;
    while (bins_[place].key != key && bins_[place].key != kFree) place = (place + 1) & mask_;
    return place;
  }
  /// At most a quarter of the new table is used.
  [[gnu::cold]] void make_room() {
    std::size_t filled = 0;
    for (const Bin& bin : bins_) filled += bin.list.empty() ? 0U : 1U;
    std::size_t size = kFewest;
    while (size < 4 * (filled + 1)) size *= 2;
    const std::vector<Bin> before = std::exchange(bins_, std::vector<Bin>(size));
    mask_ = size - 1;
    for (const Bin& bin : before) {
      if (!bin.list.empty()) bins_[place_of(bin.key)] = bin;
    }
    used_ = filled;
  }

  std::vector<Bin> bins_;  // a power of two of them
  std::size_t mask_ = 0;   // one less
  std::size_t used_ = 0;   // that are not free
};

}  // namespace foldlane::engine
