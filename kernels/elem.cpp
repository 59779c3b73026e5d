// Names and sizes of the element types: one row per Elem, in the order of the enum.
#include "kernels/elem.hpp"

#include <array>
#include <limits>

#include "kernels/elem_types.hpp"

namespace foldlane::kernels {
namespace {

struct Row {
  Elem elem;
  const char* name;
  std::size_t bytes;
};

template <class Value, class Index>
constexpr std::size_t kPairBytes = sizeof(PairLayout<Value, Index>);

constexpr std::array<Row, kElemCount> kRows{{
    {Elem::i8, "i8", 1},
    {Elem::i16, "i16", 2},
    {Elem::i32, "i32", 4},
    {Elem::i64, "i64", 8},
    {Elem::i128, "i128", 16},
    {Elem::u8, "u8", 1},
    {Elem::u16, "u16", 2},
    {Elem::u32, "u32", 4},
    {Elem::u64, "u64", 8},
    {Elem::u128, "u128", 16},
    {Elem::bf16, "bf16", 2},
    {Elem::f16, "f16", 2},
    {Elem::f32, "f32", 4},
    {Elem::f64, "f64", 8},
    {Elem::f80, "f80", sizeof(long double)},
    {Elem::f128, "f128", sizeof(Quad)},
    {Elem::c16, "c16", 4},
    {Elem::c32, "c32", 8},
    {Elem::c64, "c64", 16},
    {Elem::c80, "c80", 2 * sizeof(long double)},
    {Elem::c128, "c128", 2 * sizeof(Quad)},
    {Elem::pair_f32_i32, "pair_f32_i32", kPairBytes<float, std::int32_t>},
    {Elem::pair_f64_i32, "pair_f64_i32", kPairBytes<double, std::int32_t>},
    {Elem::pair_i64_i32, "pair_i64_i32", kPairBytes<std::int64_t, std::int32_t>},
    {Elem::pair_i32_i32, "pair_i32_i32", kPairBytes<std::int32_t, std::int32_t>},
    {Elem::pair_i16_i32, "pair_i16_i32", kPairBytes<std::int16_t, std::int32_t>},
    {Elem::pair_f80_i32, "pair_f80_i32", kPairBytes<long double, std::int32_t>},
    {Elem::pair_f32_f32, "pair_f32_f32", kPairBytes<float, float>},
    {Elem::pair_f64_f64, "pair_f64_f64", kPairBytes<double, double>},
}};

constexpr bool rows_follow_the_enum() {
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (static_cast<std::size_t>(kRows[i].elem) != i) return false;
  }
  return true;
}
static_assert(rows_follow_the_enum());

}  // namespace

std::size_t elem_bytes(Elem elem) noexcept { return kRows[static_cast<std::size_t>(elem)].bytes; }

bool has_padding(Elem elem) noexcept {
  constexpr bool kIsX87 = std::numeric_limits<long double>::digits == 64;  // 10 bytes of 16
  switch (elem) {
    case Elem::f80:
    case Elem::c80:
      return kIsX87;
    case Elem::pair_f64_i32:
    case Elem::pair_i64_i32:
    case Elem::pair_i16_i32:
    case Elem::pair_f80_i32:
      return true;
    default:
      return false;
  }
}

const char* name(Elem elem) noexcept { return kRows[static_cast<std::size_t>(elem)].name; }

}  // namespace foldlane::kernels
