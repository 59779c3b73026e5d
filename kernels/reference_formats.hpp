// How the scalar reference reads and writes one element: load to the arithmetic type, store from it, copy its
// bits. Everything goes through memcpy, because user buffers need not be aligned.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels/elem_types.hpp"
#include "kernels/half.hpp"

namespace foldlane::kernels::reference {

using Byte = unsigned char;

template <class T>
struct Complex {
  T re;
  T im;
};

template <class V, class I>
struct Pair {
  V value;
  I index;
};

template <class T, std::size_t value_bytes = sizeof(T)>
struct Plain {
  using Value = T;
  static constexpr std::size_t kBytes = sizeof(T);

  static Value load(const Byte* from) noexcept {
    Value value{};
    std::memcpy(&value, from, value_bytes);
    return value;
  }
  static void store(Byte* to, Value value) noexcept {
    std::memcpy(to, &value, value_bytes);
    std::memset(to + value_bytes, 0, kBytes - value_bytes);
  }
  /// Bits, not a value: a trip through an x87 register would quieten a signalling NaN.
  static void copy(Byte* to, const Byte* from) noexcept {
    std::memmove(to, from, value_bytes);
    std::memset(to + value_bytes, 0, kBytes - value_bytes);
  }
};

using F80 = Plain<long double, kF80ValueBytes>;

template <float (*widen)(std::uint16_t), std::uint16_t (*narrow)(float)>
struct Half {
  using Value = float;
  using Bits = Plain<std::uint16_t>;
  static constexpr std::size_t kBytes = Bits::kBytes;

  static Value load(const Byte* from) noexcept { return widen(Bits::load(from)); }
  static void store(Byte* to, Value value) noexcept { Bits::store(to, narrow(value)); }
  static void copy(Byte* to, const Byte* from) noexcept { Bits::copy(to, from); }
};

using Bf16 = Half<bf16_to_f32, f32_to_bf16>;
using F16 = Half<f16_to_f32, f32_to_f16>;

template <class Part>
struct ComplexOf {
  using Value = Complex<typename Part::Value>;
  static constexpr std::size_t kBytes = 2 * Part::kBytes;

  static Value load(const Byte* from) noexcept { return {Part::load(from), Part::load(from + Part::kBytes)}; }
  static void store(Byte* to, Value value) noexcept {
    Part::store(to, value.re);
    Part::store(to + Part::kBytes, value.im);
  }
  static void copy(Byte* to, const Byte* from) noexcept {
    Part::copy(to, from);
    Part::copy(to + Part::kBytes, from + Part::kBytes);
  }
};

template <class V, class I>
struct PairOf {
  using Value = Pair<typename V::Value, typename I::Value>;
  using Layout = PairLayout<typename V::Value, typename I::Value>;
  static constexpr std::size_t kBytes = sizeof(Layout);
  static constexpr std::size_t kIndexAt = offsetof(Layout, index);
  static constexpr std::size_t kIndexEnd = kIndexAt + I::kBytes;

  static Value load(const Byte* from) noexcept { return {V::load(from), I::load(from + kIndexAt)}; }
  static void store(Byte* to, Value value) noexcept {
    V::store(to, value.value);
    I::store(to + kIndexAt, value.index);
    clear_padding(to);
  }
  static void copy(Byte* to, const Byte* from) noexcept {
    V::copy(to, from);
    I::copy(to + kIndexAt, from + kIndexAt);
    clear_padding(to);
  }

 private:
  static void clear_padding(Byte* to) noexcept {
    std::memset(to + V::kBytes, 0, kIndexAt - V::kBytes);
    std::memset(to + kIndexEnd, 0, kBytes - kIndexEnd);
  }
};

}  // namespace foldlane::kernels::reference
