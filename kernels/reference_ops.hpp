// The operations of the scalar reference on single values: NUMERICS.md in code.
#pragma once

#include <cstdint>
#include <type_traits>

#include "kernels/elem_types.hpp"
#include "kernels/reference_formats.hpp"

namespace foldlane::kernels::reference {

template <class T>
constexpr bool kIsFloat = std::is_floating_point_v<T> || std::is_same_v<T, Quad>;

/// An unsigned type at least as wide as T and as int, so that arithmetic wraps and is never promoted to int.
template <class T>
using Wrapping = std::conditional_t<sizeof(T) == 16, Uint128,
                                    std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>>;

template <class T>
bool is_nan(T value) noexcept {
  return value != value;
}

template <class T>
T quiet_nan() noexcept {
  return static_cast<T>(__builtin_nan(""));
}

/// IEEE 754-2019 minimum on floats: a NaN wins, and -0 < +0.
template <class T>
T minimum(T a, T b) noexcept {
  if constexpr (kIsFloat<T>) {
    if (is_nan(a) || is_nan(b)) return quiet_nan<T>();
    if (a == b) return __builtin_signbit(a) ? a : b;
  }
  return a < b ? a : b;
}

template <class T>
T maximum(T a, T b) noexcept {
  if constexpr (kIsFloat<T>) {
    if (is_nan(a) || is_nan(b)) return quiet_nan<T>();
    if (a == b) return __builtin_signbit(a) ? b : a;
  }
  return a < b ? b : a;
}

struct Sum {
  template <class T>
  static T combine(T a, T b) noexcept {
    if constexpr (kIsFloat<T>) {
      return a + b;
    } else {
      return static_cast<T>(static_cast<Wrapping<T>>(a) + static_cast<Wrapping<T>>(b));
    }
  }
  template <class T>
  static Complex<T> combine(Complex<T> a, Complex<T> b) noexcept {
    return {a.re + b.re, a.im + b.im};
  }
};

struct Prod {
  template <class T>
  static T combine(T a, T b) noexcept {
    if constexpr (kIsFloat<T>) {
      return a * b;
    } else {
      return static_cast<T>(static_cast<Wrapping<T>>(a) * static_cast<Wrapping<T>>(b));
    }
  }
  template <class T>
  static Complex<T> combine(Complex<T> a, Complex<T> b) noexcept {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
};

struct Min {
  template <class T>
  static T combine(T a, T b) noexcept {
    return minimum(a, b);
  }
};

struct Max {
  template <class T>
  static T combine(T a, T b) noexcept {
    return maximum(a, b);
  }
};

struct LogicalAnd {
  template <class T>
  static T combine(T a, T b) noexcept {
    return static_cast<T>(a != 0 && b != 0);
  }
};

struct LogicalOr {
  template <class T>
  static T combine(T a, T b) noexcept {
    return static_cast<T>(a != 0 || b != 0);
  }
};

struct LogicalXor {
  template <class T>
  static T combine(T a, T b) noexcept {
    return static_cast<T>((a != 0) != (b != 0));
  }
};

struct BitAnd {
  template <class T>
  static T combine(T a, T b) noexcept {
    return static_cast<T>(a & b);
  }
};

struct BitOr {
  template <class T>
  static T combine(T a, T b) noexcept {
    return static_cast<T>(a | b);
  }
};

struct BitXor {
  template <class T>
  static T combine(T a, T b) noexcept {
    return static_cast<T>(a ^ b);
  }
};

/// `Best` is Min or Max. A value beats another if it is a NaN and the other is not, or if it is strictly
/// better; of equals (-0 == +0) the lowest index counts, and the value is the Best of the two, so that order
/// never matters.
template <class Best>
struct Locate {
  template <class V, class I>
  static Pair<V, I> combine(Pair<V, I> a, Pair<V, I> b) noexcept {
    if (beats(a.value, b.value)) return a;
    if (beats(b.value, a.value)) return b;
    return {Best::combine(a.value, b.value), minimum(a.index, b.index)};
  }

 private:
  template <class V>
  static bool beats(V a, V b) noexcept {
    if (is_nan(a) || is_nan(b)) return !is_nan(b);
    return a != b && Best::combine(a, b) == a;
  }
};

/// Every NaN a fold of two or more produces is the positive quiet NaN without payload.
template <class T>
T canonical(T value) noexcept {
  if constexpr (kIsFloat<T>) {
    if (is_nan(value)) return quiet_nan<T>();
  }
  return value;
}

template <class T>
Complex<T> canonical(Complex<T> value) noexcept {
  return {canonical(value.re), canonical(value.im)};
}

template <class V, class I>
Pair<V, I> canonical(Pair<V, I> pair) noexcept {
  return {canonical(pair.value), canonical(pair.index)};
}

}  // namespace foldlane::kernels::reference
