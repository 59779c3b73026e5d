// kernels/NUMERICS.md, rule by rule. Each rule runs through the chosen level and through the reference.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "kernels/fold.hpp"

namespace foldlane::kernels {
namespace {

/// Every pair of `left` and `right` in every lane of a long vector and in a short tail.
template <class T>
T fold_two(FoldFunction fold, T left, T right) {
  constexpr std::size_t kCount = 133;
  const std::vector<T> a(kCount, left);
  const std::vector<T> b(kCount, right);
  std::vector<T> result(kCount);
  const void* sources[] = {a.data(), b.data()};
  fold(result.data(), sources, 2, kCount);
  for (const T& value : result) EXPECT_EQ(std::memcmp(&value, &result[0], sizeof value), 0) << "lanes differ";
  return result[0];
}

class Contract : public ::testing::TestWithParam<bool> {
 protected:
  template <class T>
  T fold(Op op, Elem elem, T left, T right) const {
    return fold_two(GetParam() ? fold_reference_function(op, elem) : fold_function(op, elem), left, right);
  }
  std::uint32_t f32(Op op, float left, float right) const {
    return std::bit_cast<std::uint32_t>(fold(op, Elem::f32, left, right));
  }
  std::uint64_t f64(Op op, double left, double right) const {
    return std::bit_cast<std::uint64_t>(fold(op, Elem::f64, left, right));
  }
  std::uint16_t half(Op op, Elem elem, unsigned left, unsigned right) const {
    return fold(op, elem, static_cast<std::uint16_t>(left), static_cast<std::uint16_t>(right));
  }
};
INSTANTIATE_TEST_SUITE_P(Of, Contract, ::testing::Bool(),
                         [](const auto& of) { return of.param ? "Reference" : "ChosenLevel"; });

constexpr std::uint32_t kNan32 = 0x7fc00000;
constexpr std::uint64_t kNan64 = 0x7ff8000000000000;
const float kInf = std::numeric_limits<float>::infinity();

TEST_P(Contract, IntegersWrapAndNeverSaturate) {
  EXPECT_EQ(fold<std::int8_t>(Op::sum, Elem::i8, 127, 1), -128);
  EXPECT_EQ(fold<std::uint8_t>(Op::sum, Elem::u8, 255, 3), 2);
  EXPECT_EQ(fold<std::int16_t>(Op::sum, Elem::i16, 16384, 16384), -32768);
  EXPECT_EQ(fold<std::uint16_t>(Op::sum, Elem::u16, 65535, 65535), 65534);
  EXPECT_EQ(fold<std::int32_t>(Op::sum, Elem::i32, INT32_MAX, 1), INT32_MIN);
  EXPECT_EQ(fold<std::int64_t>(Op::sum, Elem::i64, INT64_MAX, 1), INT64_MIN);
  EXPECT_EQ(fold<std::int8_t>(Op::prod, Elem::i8, -128, -1), -128);
  EXPECT_EQ(fold<std::uint8_t>(Op::prod, Elem::u8, 251, 243), (251 * 243) & 0xff);
  EXPECT_EQ(fold<std::uint16_t>(Op::prod, Elem::u16, 65535, 65535), 1);
  EXPECT_EQ(fold<std::int32_t>(Op::prod, Elem::i32, INT32_MIN, -1), INT32_MIN);
  EXPECT_EQ(fold<std::int64_t>(Op::prod, Elem::i64, INT64_MIN, -1), INT64_MIN);
  EXPECT_EQ(fold<std::uint64_t>(Op::prod, Elem::u64, 0xdeadbeefcafef00d, 0x123456789abcdef1),
            0xdeadbeefcafef00d * 0x123456789abcdef1);
}

TEST_P(Contract, MinAndMaxKnowSigns) {
  EXPECT_EQ(fold<std::uint64_t>(Op::max, Elem::u64, 1, UINT64_MAX), UINT64_MAX);
  EXPECT_EQ(fold<std::int64_t>(Op::max, Elem::i64, 1, -1), 1);
  EXPECT_EQ(fold<std::uint64_t>(Op::min, Elem::u64, 1, UINT64_MAX), 1u);
  EXPECT_EQ(fold<std::int64_t>(Op::min, Elem::i64, INT64_MAX, INT64_MIN), INT64_MIN);
  EXPECT_EQ(fold<std::uint32_t>(Op::max, Elem::u32, 1, UINT32_MAX), UINT32_MAX);
  EXPECT_EQ(fold<std::int8_t>(Op::min, Elem::i8, 127, -128), -128);
  EXPECT_EQ(fold<std::uint8_t>(Op::min, Elem::u8, 127, 128), 127);
}

TEST_P(Contract, AnyNanMakesMinAndMaxTheCanonicalNan) {
  const float nan = std::bit_cast<float>(0xffc00123u);
  const float signalling = std::bit_cast<float>(0x7f800001u);
  for (Op op : {Op::min, Op::max}) {
    for (float bad : {nan, signalling}) {
      for (float good : {1.0f, -0.0f, kInf, -kInf, nan, signalling}) {
        EXPECT_EQ(f32(op, bad, good), kNan32);
        EXPECT_EQ(f32(op, good, bad), kNan32);
      }
    }
    EXPECT_EQ(f64(op, std::bit_cast<double>(0xfff0000000000001), -1.0), kNan64);
    EXPECT_EQ(half(op, Elem::f16, 0xfc01, 0x3c00), 0x7e00);
    EXPECT_EQ(half(op, Elem::bf16, 0x3f80, 0xff81), 0x7fc0);
  }
}

TEST_P(Contract, MinusZeroIsBelowPlusZero) {
  for (auto [a, b] : {std::pair{0.0f, -0.0f}, std::pair{-0.0f, 0.0f}}) {
    EXPECT_EQ(f32(Op::min, a, b), 0x80000000u);
    EXPECT_EQ(f32(Op::max, a, b), 0u);
    EXPECT_EQ(f64(Op::min, a, b), 0x8000000000000000u);
    EXPECT_EQ(f64(Op::max, a, b), 0u);
  }
  EXPECT_EQ(half(Op::min, Elem::bf16, 0, 0x8000), 0x8000);
  EXPECT_EQ(half(Op::max, Elem::f16, 0x8000, 0), 0);
}

TEST_P(Contract, MinAndMaxOrderInfinitiesAndNumbers) {
  EXPECT_EQ(f32(Op::min, -kInf, 1), std::bit_cast<std::uint32_t>(-kInf));
  EXPECT_EQ(f32(Op::max, -kInf, 1), std::bit_cast<std::uint32_t>(1.0f));
  EXPECT_EQ(f32(Op::max, -2, -1), std::bit_cast<std::uint32_t>(-1.0f));
  EXPECT_EQ(f32(Op::min, -2, -1), std::bit_cast<std::uint32_t>(-2.0f));
}

TEST_P(Contract, EveryNanOfASumOrProductIsTheCanonicalOne) {
  EXPECT_EQ(f32(Op::sum, kInf, -kInf), kNan32);  // x86 makes a negative NaN here, ARM a positive one
  EXPECT_EQ(f32(Op::prod, kInf, 0.0f), kNan32);
  EXPECT_EQ(f32(Op::sum, std::bit_cast<float>(0xffc00123u), std::bit_cast<float>(0x7fc00456u)), kNan32);
  EXPECT_EQ(f32(Op::sum, std::bit_cast<float>(0x7f800001u), 1), kNan32);
  EXPECT_EQ(f64(Op::sum, kInf, -kInf), kNan64);
  EXPECT_EQ(f64(Op::prod, std::bit_cast<double>(0xfff8000000000009), 2), kNan64);
  EXPECT_EQ(half(Op::sum, Elem::bf16, 0x7f80, 0xff80), 0x7fc0);
  EXPECT_EQ(half(Op::prod, Elem::bf16, 0xffff, 0x3f80), 0x7fc0);
  EXPECT_EQ(half(Op::sum, Elem::f16, 0x7c00, 0xfc00), 0x7e00);
}

TEST_P(Contract, SubnormalsAreKept) {
  const float tiny = std::numeric_limits<float>::denorm_min();
  EXPECT_EQ(f32(Op::sum, tiny, tiny), 2u);
  EXPECT_EQ(f32(Op::max, tiny, 0), 1u);
  EXPECT_EQ(f32(Op::min, -tiny, 0), 0x80000001u);
  EXPECT_EQ(f32(Op::prod, 0x1p-100f, 0x1p-40f), 0x200u);  // 2^-140
  EXPECT_EQ(f64(Op::sum, std::numeric_limits<double>::denorm_min(), 0), 1u);
  EXPECT_EQ(half(Op::sum, Elem::f16, 1, 2), 3);
  EXPECT_EQ(half(Op::sum, Elem::bf16, 1, 2), 3);
}

TEST_P(Contract, HalvesRoundToNearestEvenOnce) {
  EXPECT_EQ(half(Op::sum, Elem::bf16, 0x3f80, 0x3b80), 0x3f80);  // 1 + 2^-8: tie, down to even
  EXPECT_EQ(half(Op::sum, Elem::bf16, 0x3f81, 0x3b80), 0x3f82);  // 1 + 2^-7 + 2^-8: tie, up to even
  EXPECT_EQ(half(Op::sum, Elem::f16, 0x3c00, 0x1000), 0x3c00);   // 1 + 2^-11: tie, down to even
  EXPECT_EQ(half(Op::sum, Elem::f16, 0x3c01, 0x1000), 0x3c02);
  EXPECT_EQ(half(Op::sum, Elem::f16, 0x7bff, 0x4c00), 0x7c00);  // 65504 + 16: tie, up to infinity
  EXPECT_EQ(half(Op::prod, Elem::f16, 0x0001, 0x3800), 0);      // half of the smallest subnormal: tie to zero
  EXPECT_EQ(half(Op::prod, Elem::f16, 0x0003, 0x3800), 2);      // 1.5 units: tie to even
}

/// Rounded at every step, 1 + 2^-8 + 2^-8 would stay 1.
TEST_P(Contract, PartialSumsOfHalvesStayF32) {
  const std::uint16_t bf16[] = {0x3f80, 0x3b80, 0x3b80};
  const std::uint16_t f16[] = {0x3c00, 0x1000, 0x1000};
  std::uint16_t result = 0;
  const auto sum = [&](Elem elem, const std::uint16_t* values) {
    const void* sources[] = {values, values + 1, values + 2};
    (GetParam() ? fold_reference_function(Op::sum, elem) : fold_function(Op::sum, elem))(&result, sources, 3,
                                                                                         1);
    return result;
  };
  EXPECT_EQ(sum(Elem::bf16, bf16), 0x3f81);
  EXPECT_EQ(sum(Elem::f16, f16), 0x3c01);
}

TEST_P(Contract, NoFusedMultiplyAdd) {
  struct C32 {
    float re, im;
  };
  // (1 + u)(1 + u) - 1 * 1 with u = 2^-12: the exact 2u + u^2 needs a fused operation; rounding apart gives
  // 2u.
  const float x = 1 + 0x1p-12f;
  EXPECT_EQ(fold<C32>(Op::prod, Elem::c32, {x, 1}, {x, 1}).re, 0x1p-11f);
}

TEST_P(Contract, ComplexProductIsTheTextbookFormula) {
  struct C64 {
    double re, im;
  };
  const C64 product = fold<C64>(Op::prod, Elem::c64, {2, 3}, {5, 7});
  EXPECT_EQ(product.re, 2.0 * 5 - 3.0 * 7);
  EXPECT_EQ(product.im, 2.0 * 7 + 3.0 * 5);
  // C's Annex G would recover an infinity here.
  const double inf = kInf;
  EXPECT_EQ(std::bit_cast<std::uint64_t>(fold<C64>(Op::prod, Elem::c64, {inf, inf}, {1, 1}).re), kNan64);
}

TEST_P(Contract, LogicalResultsAreZeroOrOne) {
  EXPECT_EQ(fold<std::uint32_t>(Op::land, Elem::u32, 0x100, 0x80000000), 1u);
  EXPECT_EQ(fold<std::uint32_t>(Op::land, Elem::u32, 1, 2), 1u);  // 1 & 2 is 0
  EXPECT_EQ(fold<std::uint32_t>(Op::land, Elem::u32, 5, 0), 0u);
  EXPECT_EQ(fold<std::uint64_t>(Op::lor, Elem::u64, std::uint64_t{1} << 32, 0), 1u);
  EXPECT_EQ(fold<std::int16_t>(Op::lor, Elem::i16, 0, 0), 0);
  EXPECT_EQ(fold<std::int8_t>(Op::lxor, Elem::i8, 4, 3), 0);
  EXPECT_EQ(fold<std::int8_t>(Op::lxor, Elem::i8, 0, -128), 1);
}

TEST_P(Contract, OneSourceIsCopiedBitByBit) {
  const auto copy_of = [](Op op, Elem elem, auto value) {
    const void* source = &value;
    decltype(value) copy{};
    (GetParam() ? fold_reference_function(op, elem) : fold_function(op, elem))(&copy, &source, 1, 1);
    return copy;
  };
  EXPECT_EQ(copy_of(Op::sum, Elem::f32, std::uint32_t{0xff800123}), 0xff800123u);  // a signalling NaN
  EXPECT_EQ(copy_of(Op::max, Elem::f16, std::uint16_t{0xfc01}), 0xfc01);
  EXPECT_EQ(copy_of(Op::land, Elem::u8, std::uint8_t{7}), 7);
}

template <class V, class I>
struct Pair {
  V value;
  I index;
};

TEST_P(Contract, TiesOfMinlocAndMaxlocGoToTheLowestIndex) {
  using P = Pair<std::int32_t, std::int32_t>;
  for (Op op : {Op::minloc, Op::maxloc}) {
    EXPECT_EQ(fold<P>(op, Elem::pair_i32_i32, {5, 9}, {5, 2}).index, 2);
    EXPECT_EQ(fold<P>(op, Elem::pair_i32_i32, {5, -2}, {5, 9}).index, -2);
  }
  EXPECT_EQ(fold<P>(Op::minloc, Elem::pair_i32_i32, {-5, 9}, {5, 2}).index, 9);
  EXPECT_EQ(fold<P>(Op::maxloc, Elem::pair_i32_i32, {-5, 9}, {5, 2}).index, 2);
}

TEST_P(Contract, NanWinsMinlocAndMaxlocWithTheLowestIndex) {
  using P = Pair<float, std::int32_t>;
  const float nan = std::bit_cast<float>(0xffc00001u);
  for (Op op : {Op::minloc, Op::maxloc}) {
    for (auto [a, b, index] : {std::tuple{P{nan, 7}, P{1, 2}, 7},
                               {P{1, 2}, P{nan, 7}, 7},
                               {P{nan, 3}, P{nan, 8}, 3},
                               {P{nan, 8}, P{nan, 3}, 3}}) {
      const P result = fold<P>(op, Elem::pair_f32_i32, a, b);
      EXPECT_EQ(std::bit_cast<std::uint32_t>(result.value), kNan32);
      EXPECT_EQ(result.index, index);
    }
  }
}

TEST_P(Contract, ZerosTieInMinlocAndMaxloc) {
  using P = Pair<double, double>;
  for (auto [a, b] : {std::pair{P{0.0, 3}, P{-0.0, 5}}, std::pair{P{-0.0, 5}, P{0.0, 3}}}) {
    const P lowest = fold<P>(Op::minloc, Elem::pair_f64_f64, a, b);
    EXPECT_TRUE(std::signbit(lowest.value));
    EXPECT_EQ(lowest.index, 3);
    const P highest = fold<P>(Op::maxloc, Elem::pair_f64_f64, a, b);
    EXPECT_FALSE(std::signbit(highest.value));
    EXPECT_EQ(highest.index, 3);
  }
}

}  // namespace
}  // namespace foldlane::kernels
