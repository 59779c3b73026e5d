// What one vector operation does, for every (op, type): re-included by fold_simd.cpp once per target.
//
// A kernel K says how lanes come from memory, combine and go back:
//   K::Stored    tag of the lanes in memory, one vector of which is a step of the fold
//   K::Register  the values of one step while they are folded, and K::Scalar, one of them
//   K::enter(stored) -> register,   K::combine(left, right) -> register,   K::leave(register) -> stored
//   K::kWidens: registers hold more than memory does; then K::spill(register, to) and K::fill(from) ->
//   register move them to and from aligned scratch, as many Scalars as lanes. Otherwise enter(leave(r)) is r,
//   or as good.
//   K::Within<bytes>: the same with vectors of that many bytes of memory, for folds shorter than a vector
//   K::kTellsNans, if there: K::leave(register, nans) -> stored with any NaN, which it notes in `nans`;
//   K::leave(K::enter(stored)) makes them canonical
// All of it must give the bits of reference_ops.hpp for every input.
#if defined(FOLDLANE_KERNELS_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FOLDLANE_KERNELS_LANES_INL
#undef FOLDLANE_KERNELS_LANES_INL
#else
#define FOLDLANE_KERNELS_LANES_INL
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "hwy/highway.h"
#include "kernels/avx3-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace foldlane::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class D>
using Vec = hn::VFromD<D>;

/// No vector of any target is longer.
constexpr std::size_t kWhole = 64;

template <class T, std::size_t bytes>
using Tag = hn::CappedTag<T, bytes / sizeof(T)>;

/// Whether masked loads and stores of T exist that do not touch memory outside the mask; Highway falls back
/// to whole vectors where they do not.
template <class T>
constexpr bool kMasked = HWY_TARGET == HWY_AVX3 || (HWY_TARGET == HWY_AVX2 && sizeof(T) >= 4);

/// Without masks a partial vector goes through the stack. Out of line: a tail of 8 sources would have 8
/// copies of it.
template <class D>
HWY_NOINLINE hn::VFromD<D> load_copied(D d, const hn::TFromD<D>* from, std::size_t lanes) {
  using T = hn::TFromD<D>;
  alignas(64) T whole[hn::MaxLanes(D())] = {};
  std::memcpy(whole, from, lanes * sizeof(T));
  return hn::Load(d, whole);
}

template <class D>
HWY_NOINLINE void store_copied(hn::VFromD<D> v, D d, hn::TFromD<D>* to, std::size_t lanes) {
  using T = hn::TFromD<D>;
  alignas(64) T whole[hn::MaxLanes(D())];
  hn::Store(v, d, whole);
  std::memcpy(to, whole, lanes * sizeof(T));
}

template <class D>
HWY_INLINE hn::VFromD<D> load_partial(D d, const hn::TFromD<D>* from, std::size_t lanes) {
  if constexpr (kMasked<hn::TFromD<D>>) {
    return hn::MaskedLoad(hn::FirstN(d, lanes), d, from);
  } else {
    return load_copied(d, from, lanes);
  }
}

template <class D>
HWY_INLINE void store_partial(hn::VFromD<D> v, D d, hn::TFromD<D>* to, std::size_t lanes) {
  if constexpr (kMasked<hn::TFromD<D>>) {
    hn::BlendedStore(v, hn::FirstN(d, lanes), d, to);
  } else {
    store_copied(v, d, to, lanes);
  }
}

/// Memory and registers hold the same lanes.
template <class T, std::size_t bytes>
struct Same {
  using Stored = Tag<T, bytes>;
  using Register = Vec<Stored>;
  using Scalar = T;
  static constexpr bool kWidens = false;
  static HWY_INLINE Register enter(Register v) { return v; }
  static HWY_INLINE Register leave(Register v) { return v; }
};

struct BitAnd {
  template <class V>
  static HWY_INLINE V combine(V a, V b) {
    return hn::And(a, b);
  }
};

struct BitOr {
  template <class V>
  static HWY_INLINE V combine(V a, V b) {
    return hn::Or(a, b);
  }
};

struct BitXor {
  template <class V>
  static HWY_INLINE V combine(V a, V b) {
    return hn::Xor(a, b);
  }
};

template <class Operation, std::size_t bytes = kWhole>
struct Bitwise : Same<std::uint8_t, bytes>, Operation {
  template <std::size_t fewer>
  using Within = Bitwise<Operation, fewer>;
};

/// Truth is all ones inside, 1 in memory.
template <class T, class Operation, std::size_t bytes = kWhole>
struct Logical : Same<T, bytes>, Operation {
  template <std::size_t fewer>
  using Within = Logical<T, Operation, fewer>;
  using D = Tag<T, bytes>;
  static HWY_INLINE Vec<D> enter(Vec<D> v) { return hn::Not(hn::VecFromMask(D(), hn::Eq(v, hn::Zero(D())))); }
  static HWY_INLINE Vec<D> leave(Vec<D> v) { return hn::And(v, hn::Set(D(), T{1})); }
};

template <class T, std::size_t bytes = kWhole>
struct Sum : Same<T, bytes> {
  template <std::size_t fewer>
  using Within = Sum<T, fewer>;
  template <class V>
  static HWY_INLINE V combine(V a, V b) {
    return hn::Add(a, b);
  }
};

template <class T, std::size_t bytes = kWhole>
struct IntegerProd : Same<T, bytes> {
  template <std::size_t fewer>
  using Within = IntegerProd<T, fewer>;
  template <class V>
  static HWY_INLINE V combine(V a, V b) {
    return hn::Mul(a, b);
  }
};

/// No target multiplies bytes: multiply the even and the odd ones as halves of 16-bit lanes.
template <std::size_t bytes>
struct IntegerProd<std::uint8_t, bytes> : Same<std::uint8_t, bytes> {
  template <std::size_t fewer>
  using Within = IntegerProd<std::uint8_t, fewer>;
  static constexpr std::size_t kLeastBytes = sizeof(std::uint16_t);
  template <class V>
  static HWY_INLINE V combine(V a, V b) {
    const Tag<std::uint8_t, bytes> d8;
    const Tag<std::uint16_t, bytes> d16;
    const auto low = hn::Set(d16, 0x00ff);
    const auto a16 = hn::BitCast(d16, a);
    const auto b16 = hn::BitCast(d16, b);
    const auto even = hn::And(hn::Mul(a16, b16), low);
    const auto odd = hn::Mul(hn::AndNot(low, a16), hn::ShiftRight<8>(b16));
    return hn::BitCast(d8, hn::Or(even, odd));
  }
};

template <class T, std::size_t bytes = kWhole>
struct IntegerMin : Same<T, bytes> {
  template <std::size_t fewer>
  using Within = IntegerMin<T, fewer>;
  template <class V>
  static HWY_INLINE V combine(V a, V b) {
    return hn::Min(a, b);
  }
};

template <class T, std::size_t bytes = kWhole>
struct IntegerMax : Same<T, bytes> {
  template <std::size_t fewer>
  using Within = IntegerMax<T, fewer>;
  template <class V>
  static HWY_INLINE V combine(V a, V b) {
    return hn::Max(a, b);
  }
};

/// Results are NaN-free or the canonical NaN: which payload an addition keeps differs between machines and
/// with the operand order a compiler happens to choose.
template <class T, std::size_t bytes>
struct Float : Same<T, bytes> {
  using D = Tag<T, bytes>;
  static HWY_INLINE Vec<D> quiet_nan() {
    using Bits = hwy::MakeUnsigned<T>;
    constexpr Bits kQuietNan = sizeof(T) == 4 ? Bits{0x7fc00000} : static_cast<Bits>(0x7ff8000000000000);
    return hn::BitCast(D(), hn::Set(Tag<Bits, bytes>(), kQuietNan));
  }
  static HWY_INLINE Vec<D> leave(Vec<D> v) {
#if HWY_TARGET == HWY_AVX3
    return replace_nan(v, quiet_nan());
#else
    return hn::IfThenElse(hn::IsNaN(v), quiet_nan(), v);
#endif
  }
};

template <class T, std::size_t bytes = kWhole>
struct FloatSum : Float<T, bytes> {
  template <std::size_t fewer>
  using Within = FloatSum<T, fewer>;
  template <class V>
  static HWY_INLINE V combine(V a, V b) {
    return hn::Add(a, b);
  }
};

/// a * 1 + b, rounded once, is a + b; but done by the multipliers, which on Zen the conversions of halves and
/// half of their additions leave idle.
template <class T, std::size_t bytes = kWhole>
struct FloatSumFused : Float<T, bytes> {
  template <class V>
  static HWY_INLINE V combine(V a, V b) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2
    return hn::MulAdd(a, hn::Set(Tag<T, bytes>(), T{1}), b);
#else
    return hn::Add(a, b);
#endif
  }
};

template <class T, std::size_t bytes = kWhole>
struct FloatProd : Float<T, bytes> {
  template <std::size_t fewer>
  using Within = FloatProd<T, fewer>;
  template <class V>
  static HWY_INLINE V combine(V a, V b) {
    return hn::Mul(a, b);
  }
};

/// (a + bi)(c + di) = (ac - bd) + (ad + bc)i in adjacent lanes; each product and each sum rounds on its own.
template <class T, std::size_t bytes = kWhole>
struct ComplexProd : Float<T, bytes> {
  template <std::size_t fewer>
  using Within = ComplexProd<T, fewer>;
  template <class V>
  static HWY_INLINE V combine(V a, V b) {
    const Tag<T, bytes> d;
    const V re_times = hn::Mul(hn::DupEven(a), b);
    const V im_times = hn::Mul(hn::DupOdd(a), hn::Reverse2(d, b));
    const V minus_even = hn::OddEven(hn::Zero(d), hn::Set(d, static_cast<T>(-0.0)));
    return hn::Add(re_times, hn::Xor(im_times, minus_even));
  }
};

}  // namespace
}  // namespace foldlane::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard per target
