#include "engine/data/user_tree.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

namespace foldlane::engine {

namespace {

struct Reach {
  std::int64_t low;
  std::int64_t high;
};

/// Around element 0: the bytes that a caller's function may touch. Those between the bounds belong to them
/// even where no data is, because functions assign whole structures; but not if the bounds have nothing to do
/// with where the data is, as with addresses and negative extents.
Reach reach(const TypeMap& type_map, std::size_t count) {
  Reach one{type_map.true_lower_bound(), type_map.true_lower_bound() + type_map.true_extent()};
  const std::int64_t lower = type_map.lower_bound(), upper = lower + type_map.extent();
  if (lower < one.high && one.low < upper) one = {std::min(one.low, lower), std::max(one.high, upper)};
  const std::int64_t last = static_cast<std::int64_t>(count - 1) * type_map.extent();
  return {one.low + std::min<std::int64_t>(0, last), one.high + std::max<std::int64_t>(0, last)};
}

}  // namespace

ElementArray::ElementArray(const Reduction& reduction, std::size_t count) {
  const auto packed_bytes = static_cast<std::int64_t>(count * reduction.elem_bytes);
  const auto [low, high] =
      reduction.type_map != nullptr ? reach(*reduction.type_map, count) : Reach{0, packed_bytes};
  // The caller's function may want its elements aligned, for vectors even to a line: element 0 is. The bytes
  // of an element may be far from it, on either side, as in a type of absolute addresses.
  constexpr std::int64_t kAlignment = 64;
  const std::int64_t start = low - (low % kAlignment + kAlignment) % kAlignment;
  const auto bytes = static_cast<std::size_t>(high - start + kAlignment - 1);
  memory_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
  // A function that copies gaps reads them.
  if (reduction.type_map != nullptr) std::memset(memory_.get(), 0, bytes);
  const auto memory = reinterpret_cast<std::uintptr_t>(memory_.get());
  const std::uintptr_t aligned = (memory + kAlignment - 1) / kAlignment * kAlignment;
  data_ = reinterpret_cast<std::byte*>(aligned - static_cast<std::uintptr_t>(start));
}

void ElementArray::load(const Reduction& reduction, const void* packed, std::size_t count) {
  const auto* from = static_cast<const std::byte*>(packed);
  if (reduction.type_map != nullptr) {
    return reduction.type_map->unpack(data_, from, 0, count * reduction.elem_bytes);
  }
  std::memcpy(data_, from, count * reduction.elem_bytes);
}

void ElementArray::store(const Reduction& reduction, std::byte* packed, std::size_t count) const {
  if (reduction.type_map != nullptr) {
    return reduction.type_map->pack(packed, data_, 0, count * reduction.elem_bytes);
  }
  std::memcpy(packed, data_, count * reduction.elem_bytes);
}

void UserTree::evaluate(std::byte* dst) {
  arrays_.reserve(static_cast<std::size_t>(std::bit_width(k_)) + 1);
  evaluate(0, k_, 0);
  arrays_.front().store(reduction_, dst, count_);
}

/// array(level) = fold(lo, hi). The right half goes first and may use all arrays above; then the left half
/// may use them again, since the right half's result is in array(level).
void UserTree::evaluate(std::size_t lo, std::size_t hi, std::size_t level) {
  if (hi - lo == 1) return array(level).load(reduction_, sources_[lo], count_);
  const std::size_t mid = lo + std::bit_floor(hi - lo - 1);
  evaluate(mid, hi, level);
  const void* const left = left_operand(lo, mid, level + 1);
  reduction_.user.call(reduction_.user.context, left, array(level).data(), count_);
}

const void* UserTree::left_operand(std::size_t lo, std::size_t mid, std::size_t level) {
  if (mid - lo == 1 && reduction_.type_map == nullptr) return sources_[lo];
  evaluate(lo, mid, level);
  return array(level).data();
}

ElementArray& UserTree::array(std::size_t level) {
  if (level == arrays_.size()) arrays_.emplace_back(reduction_, count_);
  return arrays_[level];
}

}  // namespace foldlane::engine
