// Elements and operations of the oracle, in plain C++: nothing here comes from the library.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>

#include "support/oracle.hpp"

namespace foldlane::testing {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 Uint128;
#ifdef __x86_64__
__extension__ typedef __float128 Quad;
#else
using Quad = long double;
#endif

template <class T>
constexpr bool kIsInteger = std::is_integral_v<T> || std::is_same_v<T, Int128> || std::is_same_v<T, Uint128>;

/// IEEE binary16 of values that it holds exactly, which all results of the tests with it are.
struct Half {
  std::uint16_t bits;
  static Half of(float value) {
    int exponent = 0;
    const float mantissa = std::frexp(std::fabs(value), &exponent);  // in [0.5, 1)
    const unsigned sign = std::signbit(value) ? 0x8000U : 0U;
    if (value == 0) return {static_cast<std::uint16_t>(sign)};
    const auto fraction = static_cast<unsigned>(mantissa * 2048.0F) - 1024U;
    return {static_cast<std::uint16_t>(sign | static_cast<unsigned>(exponent + 14) << 10 | fraction)};
  }
  float value() const {
    if ((bits & 0x7fff) == 0) return 0;
    const float magnitude = std::ldexp(static_cast<float>(1024 + (bits & 0x3ff)), (bits >> 10 & 31) - 25);
    return (bits & 0x8000) != 0 ? -magnitude : magnitude;
  }
};

template <class T>
struct Complex {
  T re, im;
};

template <class V, class I>
struct Pair {
  V value;
  I index;
};

// Elements. Integers have all bits, and are 0 often enough for logical operations to matter. Floats have
// values whose sums and products are rounded, so that another order gives other bits, without growing too
// large.

template <class T>
T make_number(std::uint64_t random) {
  if constexpr (std::is_same_v<T, Half>) {
    return Half::of(std::ldexp(random % 2 == 0 ? 1.0F : -1.0F, static_cast<int>(random / 2 % 3) - 1));
  } else if constexpr (kIsInteger<T>) {
    return random % 4 == 0 ? T{0} : static_cast<T>(static_cast<Uint128>(random * 3) << 64 | random);
  } else {
    const T magnitude = 1 + static_cast<T>(random / 2 % 1000) / 3000;
    return random % 2 == 0 ? magnitude : -magnitude;
  }
}

template <class T>
T make_logical(std::uint64_t random) {
  return static_cast<T>(random % 4 != 0);
}

template <class T>
Complex<T> make_complex(std::uint64_t random) {
  return {make_number<T>(random), make_number<T>(random >> 32)};
}

template <class V, class I>
Pair<V, I> make_pair(std::uint64_t random) {
  return {static_cast<V>(static_cast<int>(random % 5) - 2), static_cast<I>(random / 8 % 1000)};
}

// Operations.

template <class T>
T sum(T a, T b) {
  if constexpr (std::is_same_v<T, Half>) {
    return Half::of(a.value() + b.value());
  } else if constexpr (kIsInteger<T>) {
    return static_cast<T>(static_cast<Uint128>(a) + static_cast<Uint128>(b));
  } else {
    return a + b;
  }
}

template <class T>
T product(T a, T b) {
  if constexpr (std::is_same_v<T, Half>) {
    return Half::of(a.value() * b.value());
  } else if constexpr (kIsInteger<T>) {
    return static_cast<T>(static_cast<Uint128>(a) * static_cast<Uint128>(b));
  } else {
    return a * b;
  }
}

template <class T>
T negative(T a) {
  if constexpr (std::is_same_v<T, Half>) {
    return Half::of(-a.value());
  } else {
    return -a;
  }
}

template <class T>
bool less(T a, T b) {
  if constexpr (std::is_same_v<T, Half>) {
    return a.value() < b.value();
  } else {
    return a < b;
  }
}

template <class T>
T minimum(T a, T b) {
  return less(b, a) ? b : a;
}
template <class T>
T maximum(T a, T b) {
  return less(a, b) ? b : a;
}
template <class T>
T logical_and(T a, T b) {
  return static_cast<T>(a != 0 && b != 0);
}
template <class T>
T logical_or(T a, T b) {
  return static_cast<T>(a != 0 || b != 0);
}
template <class T>
T logical_xor(T a, T b) {
  return static_cast<T>((a != 0) != (b != 0));
}
template <class T>
T bit_and(T a, T b) {
  return static_cast<T>(a & b);
}
template <class T>
T bit_or(T a, T b) {
  return static_cast<T>(a | b);
}
template <class T>
T bit_xor(T a, T b) {
  return static_cast<T>(a ^ b);
}

template <class T>
Complex<T> complex_sum(Complex<T> a, Complex<T> b) {
  return {sum(a.re, b.re), sum(a.im, b.im)};
}
template <class T>
Complex<T> complex_product(Complex<T> a, Complex<T> b) {
  return {sum(product(a.re, b.re), negative(product(a.im, b.im))),
          sum(product(a.re, b.im), product(a.im, b.re))};
}

template <class V, class I>
Pair<V, I> min_location(Pair<V, I> a, Pair<V, I> b) {
  if (a.value == b.value) return {a.value, a.index < b.index ? a.index : b.index};
  return a.value < b.value ? a : b;
}
template <class V, class I>
Pair<V, I> max_location(Pair<V, I> a, Pair<V, I> b) {
  if (a.value == b.value) return {a.value, a.index < b.index ? a.index : b.index};
  return a.value > b.value ? a : b;
}

// Comparison of results.

template <class T>
bool same_number(const T& a, const T& b) {
  if constexpr (std::is_same_v<T, Half>) {
    return a.value() == b.value();
  } else {
    return a == b;
  }
}
template <class T>
bool same_complex(const Complex<T>& a, const Complex<T>& b) {
  return same_number(a.re, b.re) && same_number(a.im, b.im);
}
template <class V, class I>
bool same_pair(const Pair<V, I>& a, const Pair<V, I>& b) {
  return a.value == b.value && a.index == b.index;
}

}  // namespace foldlane::testing
