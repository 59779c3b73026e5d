#include "kernels/widening.hpp"

#include <array>
#include <cstdint>
#include <cstring>

#include "kernels/half.hpp"

namespace foldlane::kernels {
namespace {

template <float (*widen_one)(std::uint16_t)>
void widen(void* wide, const void* halves, std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    std::uint16_t half = 0;
    std::memcpy(&half, static_cast<const std::byte*>(halves) + i * sizeof half, sizeof half);
    const float value = widen_one(half);
    std::memcpy(static_cast<std::byte*>(wide) + i * sizeof value, &value, sizeof value);
  }
}

template <std::uint16_t (*narrow_one)(float)>
void narrow(void* halves, const void* wide, std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    float value = 0;
    std::memcpy(&value, static_cast<const std::byte*>(wide) + i * sizeof value, sizeof value);
    const std::uint16_t half = narrow_one(value);
    std::memcpy(static_cast<std::byte*>(halves) + i * sizeof half, &half, sizeof half);
  }
}

template <auto convert>
void pairs(void* to, const void* from, std::size_t count) noexcept {
  convert(to, from, 2 * count);
}

Widening widening_of(Op op, Elem elem) noexcept {
  switch (elem) {
    case Elem::bf16:
      return {fold_function(op, Elem::f32), widen<bf16_to_f32>, narrow<f32_to_bf16>, sizeof(float)};
    case Elem::f16:
      return {fold_function(op, Elem::f32), widen<f16_to_f32>, narrow<f32_to_f16>, sizeof(float)};
    case Elem::c16:
      return {fold_function(op, Elem::c32), pairs<widen<f16_to_f32>>, pairs<narrow<f32_to_f16>>,
              2 * sizeof(float)};
    default:
      return {};
  }
}

constexpr int kOps = static_cast<int>(Op::maxloc) + 1;
using Table = std::array<std::array<Widening, kElemCount>, kOps>;

Table make_table() noexcept {
  Table table{};
  for (int op = 0; op < kOps; ++op) {
    for (int elem = 0; elem < kElemCount; ++elem) {
      table[static_cast<std::size_t>(op)][static_cast<std::size_t>(elem)] =
          widening_of(static_cast<Op>(op), static_cast<Elem>(elem));
    }
  }
  return table;
}

}  // namespace

const Widening* widening(Op op, Elem elem) noexcept {
  static const Table table = make_table();
  const Widening& found = table[static_cast<std::size_t>(op)][static_cast<std::size_t>(elem)];
  return found.fold != nullptr ? &found : nullptr;
}

}  // namespace foldlane::kernels
