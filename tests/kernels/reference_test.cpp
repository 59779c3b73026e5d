// The types without vector code, which the reference serves at every level: 128-bit integers, long double,
// quad, half complex and pairs, against values computed here and against the bottom-up tree.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "buffers.hpp"
#include "kernels/fold.hpp"
#include "pairwise.hpp"

namespace foldlane::kernels::testing {
namespace {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 Uint128;
#ifdef __x86_64__
__extension__ typedef __float128 Quad;
constexpr std::size_t kF80ValueBytes = 10;
#else
using Quad = long double;
constexpr std::size_t kF80ValueBytes = 16;
#endif

template <class T>
T fold_all(Op op, Elem elem, const std::vector<T>& values) {
  std::vector<const void*> sources;
  for (const T& value : values) sources.push_back(&value);
  T result{};
  fold_function(op, elem)(&result, sources.data(), values.size(), 1);
  return result;
}

/// Thirds: every addition and multiplication of them rounds.
template <class T>
std::vector<T> thirds(std::size_t k) {
  std::vector<T> values;
  for (std::size_t i = 0; i < k; ++i)
    values.push_back(static_cast<T>(static_cast<int>(i * 7 % 11) - 4) / T{3});
  return values;
}

template <class T>
void check_wide_float(Elem elem) {
  for (std::size_t k : {2u, 3u, 7u, 12u, 33u}) {
    const std::vector<T> values = thirds<T>(k);
    EXPECT_TRUE(fold_all(Op::sum, elem, values) == pairwise(values, [](T a, T b) { return a + b; })) << k;
    EXPECT_TRUE(fold_all(Op::prod, elem, values) == pairwise(values, [](T a, T b) { return a * b; })) << k;
    EXPECT_TRUE(fold_all(Op::min, elem, values) == *std::min_element(values.begin(), values.end())) << k;
    EXPECT_TRUE(fold_all(Op::max, elem, values) == *std::max_element(values.begin(), values.end())) << k;
  }
}

TEST(Reference, LongDouble) { check_wide_float<long double>(Elem::f80); }
TEST(Reference, Quad) { check_wide_float<Quad>(Elem::f128); }

TEST(Reference, LongDoubleFollowsTheNanAndZeroRules) {
  const long double nan = -std::numeric_limits<long double>::quiet_NaN();
  for (Op op : {Op::sum, Op::prod, Op::min, Op::max}) {
    const long double result = fold_all<long double>(op, Elem::f80, {1.0L, nan, 2.0L});
    EXPECT_TRUE(std::isnan(result));
    EXPECT_FALSE(std::signbit(result));
  }
  EXPECT_TRUE(std::signbit(fold_all<long double>(Op::min, Elem::f80, {0.0L, -0.0L})));
  EXPECT_FALSE(std::signbit(fold_all<long double>(Op::max, Elem::f80, {-0.0L, 0.0L})));
}

TEST(Reference, QuadNanIsCanonical) {
  const Quad infinity = static_cast<Quad>(std::numeric_limits<double>::infinity());
  const Quad result = fold_all<Quad>(Op::sum, Elem::f128, {infinity, -infinity});
  std::uint64_t words[2];
  std::memcpy(words, &result, sizeof words);
  EXPECT_EQ(words[0], 0u);
  EXPECT_EQ(words[1], 0x7fff800000000000u);
}

TEST(Reference, Integers128Wrap) {
  const Uint128 top = Uint128{1} << 127;
  EXPECT_TRUE(fold_all<Uint128>(Op::sum, Elem::u128, {top, top, 5}) == 5);
  EXPECT_TRUE(fold_all<Uint128>(Op::prod, Elem::u128, {top + 3, 2}) == 6);
  const Int128 lowest = static_cast<Int128>(top);
  EXPECT_TRUE(fold_all<Int128>(Op::sum, Elem::i128, {lowest, -1}) == static_cast<Int128>(top - 1));
  EXPECT_TRUE(fold_all<Int128>(Op::min, Elem::i128, {3, lowest, -1}) == lowest);
  EXPECT_TRUE(fold_all<Uint128>(Op::max, Elem::u128, {3, top, 1}) == top);
  EXPECT_TRUE(fold_all<Int128>(Op::land, Elem::i128, {lowest, 2}) == 1);
  EXPECT_TRUE(fold_all<Int128>(Op::lor, Elem::i128, {lowest, 0}) == 1);
  EXPECT_TRUE(fold_all<Int128>(Op::lxor, Elem::i128, {lowest, 2}) == 0);
  EXPECT_TRUE(fold_all<Uint128>(Op::band, Elem::u128, {top | 6, top | 3}) == (top | 2));
  EXPECT_TRUE(fold_all<Uint128>(Op::bor, Elem::u128, {top, 3}) == (top | 3));
  EXPECT_TRUE(fold_all<Uint128>(Op::bxor, Elem::u128, {top | 1, top | 3}) == 2);
}

template <class T>
struct Complex {
  T re;
  T im;
};

template <class T>
void check_wide_complex(Elem elem) {
  using C = Complex<T>;
  const C product = fold_all<C>(Op::prod, elem, {{T{2}, T{3}}, {T{5}, T{7}}});
  EXPECT_TRUE(product.re == T{-11} && product.im == T{29});
  const C sum = fold_all<C>(Op::sum, elem, {{T{2}, T{3}}, {T{5}, T{7}}, {T{1}, T{-1}}});
  EXPECT_TRUE(sum.re == T{8} && sum.im == T{9});
}

TEST(Reference, ComplexOfWideFloats) {
  check_wide_complex<long double>(Elem::c80);
  check_wide_complex<Quad>(Elem::c128);
}

TEST(Reference, ComplexOfHalvesAccumulatesInF32) {
  using C = Complex<std::uint16_t>;
  const C sum = fold_all<C>(Op::sum, Elem::c16, {{0x3c00, 0}, {0x1000, 0x8000}, {0x1000, 0x0001}});
  EXPECT_EQ(sum.re, 0x3c01);  // 1 + 2^-11 + 2^-11
  EXPECT_EQ(sum.im, 0x0001);
  const C product = fold_all<C>(Op::prod, Elem::c16, {{0x4000, 0x4200}, {0x4500, 0x4700}});  // (2+3i)(5+7i)
  EXPECT_EQ(product.re, 0xc980);
  EXPECT_EQ(product.im, 0x4f40);
}

template <class V, class I>
struct Pair {
  V value;
  I index;
};

template <class V, class I>
void check_pairs(Elem elem) {
  using P = Pair<V, I>;
  EXPECT_EQ(elem_bytes(elem), sizeof(P));
  const std::vector<P> pairs{{V{4}, I{3}}, {V{-7}, I{9}}, {V{4}, I{1}}, {V{-7}, I{8}}, {V{0}, I{0}}};
  const P lowest = fold_all(Op::minloc, elem, pairs);
  EXPECT_EQ(lowest.value, V{-7});
  EXPECT_EQ(lowest.index, I{8});
  const P highest = fold_all(Op::maxloc, elem, pairs);
  EXPECT_EQ(highest.value, V{4});
  EXPECT_EQ(highest.index, I{1});
}

TEST(Reference, EveryPairType) {
  check_pairs<float, std::int32_t>(Elem::pair_f32_i32);
  check_pairs<double, std::int32_t>(Elem::pair_f64_i32);
  check_pairs<std::int64_t, std::int32_t>(Elem::pair_i64_i32);
  check_pairs<std::int32_t, std::int32_t>(Elem::pair_i32_i32);
  check_pairs<std::int16_t, std::int32_t>(Elem::pair_i16_i32);
  check_pairs<long double, std::int32_t>(Elem::pair_f80_i32);
  check_pairs<float, float>(Elem::pair_f32_f32);
  check_pairs<double, double>(Elem::pair_f64_f64);
}

struct Field {
  std::size_t at;
  std::size_t bytes;
};

/// Where the values of an element lie; every other byte is padding.
std::vector<Field> fields(Elem elem) {
  switch (elem) {
    case Elem::f80:
      return {{0, kF80ValueBytes}};
    case Elem::c80:
      return {{0, kF80ValueBytes}, {16, kF80ValueBytes}};
    case Elem::pair_f80_i32:
      return {{0, kF80ValueBytes}, {16, 4}};
    case Elem::pair_f64_i32:
    case Elem::pair_i64_i32:
      return {{0, 8}, {8, 4}};
    case Elem::pair_i16_i32:
      return {{0, 2}, {4, 4}};
    default:
      return {{0, elem_bytes(elem)}};
  }
}

/// Zero values in poisoned padding: every fold of zeros is zero, also of its padding, and poison that were
/// read as part of a value would show.
TEST(Reference, PaddingIsNeverReadAndWrittenAsZero) {
  for_each_valid([](Op op, Elem elem) {
    constexpr std::size_t kCount = 3;
    const std::vector<Field> values = fields(elem);
    std::vector<unsigned char> source(kCount * elem_bytes(elem), 0xee);
    for (std::size_t i = 0; i < kCount; ++i) {
      for (const Field& field : values) std::memset(&source[i * elem_bytes(elem) + field.at], 0, field.bytes);
    }
    for (std::size_t k : {1u, 2u, 3u, 8u, 9u}) {
      const std::vector<const void*> sources(k, source.data());
      std::vector<unsigned char> result(source.size(), 0xdd);
      fold_function(op, elem)(result.data(), sources.data(), k, kCount);
      EXPECT_EQ(result, std::vector<unsigned char>(result.size(), 0))
          << name(op) << ' ' << name(elem) << ' ' << k;
    }
  });
}

TEST(Reference, OneSourceKeepsTheBitsOfASignallingNan) {
  // x87: exponent all ones, integer bit, fraction 1. The same bytes are just some number in IEEE quad.
  const std::array<unsigned char, 32> source{1, 0, 0, 0, 0, 0, 0, 0x80, 0xff, 0xff};
  std::array<unsigned char, 32> result;
  result.fill(0xdd);
  const void* pointer = source.data();
  ASSERT_EQ(elem_bytes(Elem::pair_f80_i32), source.size());
  fold_function(Op::minloc, Elem::pair_f80_i32)(result.data(), &pointer, 1, 1);
  EXPECT_EQ(result, source);
}

/// In place, unaligned, and two elements so that a stride error would show.
TEST(Reference, DestinationMayBeASource) {
  for_each_valid([](Op op, Elem elem) {
    const std::size_t bytes = 5 * elem_bytes(elem);
    Random random(9);
    std::vector<std::vector<unsigned char>> inputs(3, std::vector<unsigned char>(bytes + 1));
    for (auto& input : inputs) fill_ordinary(input.data() + 1, elem, bytes, random);
    std::vector<unsigned char> expected(bytes);
    const auto run = [&](unsigned char* dst, std::vector<std::vector<unsigned char>>& from) {
      const void* sources[] = {from[0].data() + 1, from[1].data() + 1, from[2].data() + 1};
      fold_reference_function(op, elem)(dst, sources, 3, 5);
    };
    run(expected.data(), inputs);
    for (std::size_t alias = 0; alias < 3; ++alias) {
      auto copies = inputs;
      run(copies[alias].data() + 1, copies);
      EXPECT_EQ(std::memcmp(copies[alias].data() + 1, expected.data(), bytes), 0)
          << name(op) << ' ' << name(elem);
    }
  });
}

}  // namespace
}  // namespace foldlane::kernels::testing
