// What one vector operation does, for every (op, type): re-included by fold_simd.cpp once per target.
//
// A kernel K says how lanes come from memory, combine and go back:
//   K::Stored    tag of the lanes in memory, one vector of which is a step of the fold
//   K::Register  the values of one step while they are folded, and K::Scalar, one of them
//   K::enter(stored) -> register,   K::combine(left, right) -> register,   K::leave(register) -> stored
//   K::kWidens: registers hold more than memory does; then K::spill(register, to) and K::fill(from) ->
//   register move them to and from aligned scratch, as many Scalars as lanes. Otherwise enter(leave(r)) is r,
//   or as good.
// All of it must give the bits of reference_ops.hpp for every input.
#if defined(FOLDLANE_KERNELS_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FOLDLANE_KERNELS_LANES_INL
#undef FOLDLANE_KERNELS_LANES_INL
#else
#define FOLDLANE_KERNELS_LANES_INL
#endif

#include <cstdint>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace foldlane::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class D>
using Vec = hn::VFromD<D>;

/// Memory and registers hold the same lanes.
template <class T>
struct Same {
  using Stored = hn::ScalableTag<T>;
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

template <class Operation>
struct Bitwise : Same<std::uint8_t>, Operation {};

/// Truth is all ones inside, 1 in memory.
template <class T, class Operation>
struct Logical : Same<T>, Operation {
  using D = hn::ScalableTag<T>;
  static HWY_INLINE Vec<D> enter(Vec<D> v) { return hn::Not(hn::VecFromMask(D(), hn::Eq(v, hn::Zero(D())))); }
  static HWY_INLINE Vec<D> leave(Vec<D> v) { return hn::And(v, hn::Set(D(), T{1})); }
};

template <class T>
struct Sum : Same<T> {
  template <class V>
  static HWY_INLINE V combine(V a, V b) {
    return hn::Add(a, b);
  }
};

template <class T>
struct IntegerProd : Same<T> {
  template <class V>
  static HWY_INLINE V combine(V a, V b) {
    return hn::Mul(a, b);
  }
};

/// No target multiplies bytes: multiply the even and the odd ones as halves of 16-bit lanes.
template <>
struct IntegerProd<std::uint8_t> : Same<std::uint8_t> {
  template <class V>
  static HWY_INLINE V combine(V a, V b) {
    const hn::ScalableTag<std::uint8_t> d8;
    const hn::ScalableTag<std::uint16_t> d16;
    const auto low = hn::Set(d16, 0x00ff);
    const auto a16 = hn::BitCast(d16, a);
    const auto b16 = hn::BitCast(d16, b);
    const auto even = hn::And(hn::Mul(a16, b16), low);
    const auto odd = hn::Mul(hn::AndNot(low, a16), hn::ShiftRight<8>(b16));
    return hn::BitCast(d8, hn::Or(even, odd));
  }
};

template <class T>
struct IntegerMin : Same<T> {
  template <class V>
  static HWY_INLINE V combine(V a, V b) {
    return hn::Min(a, b);
  }
};

template <class T>
struct IntegerMax : Same<T> {
  template <class V>
  static HWY_INLINE V combine(V a, V b) {
    return hn::Max(a, b);
  }
};

/// Results are NaN-free or the canonical NaN: which payload an addition keeps differs between machines and
/// with the operand order a compiler happens to choose.
template <class T>
struct Float : Same<T> {
  using D = hn::ScalableTag<T>;
  static HWY_INLINE Vec<D> leave(Vec<D> v) {
    using Bits = hwy::MakeUnsigned<T>;
    constexpr Bits kQuietNan = sizeof(T) == 4 ? Bits{0x7fc00000} : static_cast<Bits>(0x7ff8000000000000);
    const auto nan = hn::BitCast(D(), hn::Set(hn::ScalableTag<Bits>(), kQuietNan));
    return hn::IfThenElse(hn::IsNaN(v), nan, v);
  }
};

template <class T>
struct FloatSum : Float<T> {
  template <class V>
  static HWY_INLINE V combine(V a, V b) {
    return hn::Add(a, b);
  }
};

template <class T>
struct FloatProd : Float<T> {
  template <class V>
  static HWY_INLINE V combine(V a, V b) {
    return hn::Mul(a, b);
  }
};

/// IEEE minimum. The OR does the two hard cases at once: of equals it keeps a sign bit (-0 < +0), and
/// anything OR-ed to a NaN is a NaN, which Float::leave makes canonical.
template <class T>
struct FloatMin : Float<T> {
  template <class V>
  static HWY_INLINE V combine(V a, V b) {
#if HWY_ARCH_X86
    return hn::Or(hn::Min(a, b), hn::Min(b, a));  // MINPS returns its second operand for equals and for NaN
#else
    return hn::IfThenElse(hn::Lt(a, b), a, hn::IfThenElse(hn::Lt(b, a), b, hn::Or(a, b)));
#endif
  }
};

/// max(x) = -min(-x): flipping a sign is exact, also of zeros and infinities.
template <class T>
struct FloatMax : FloatMin<T> {
  using D = hn::ScalableTag<T>;
  static HWY_INLINE Vec<D> enter(Vec<D> v) { return hn::Neg(v); }
  static HWY_INLINE Vec<D> leave(Vec<D> v) { return Float<T>::leave(hn::Neg(v)); }
};

/// (a + bi)(c + di) = (ac - bd) + (ad + bc)i in adjacent lanes; each product and each sum rounds on its own.
template <class T>
struct ComplexProd : Float<T> {
  template <class V>
  static HWY_INLINE V combine(V a, V b) {
    const hn::ScalableTag<T> d;
    const V re_times = hn::Mul(hn::DupEven(a), b);
    const V im_times = hn::Mul(hn::DupOdd(a), hn::Reverse2(d, b));
    return hn::Add(re_times, hn::OddEven(im_times, hn::Neg(im_times)));
  }
};

template <class K>
using Itself = K;

using F32 = hn::ScalableTag<float>;
using U32 = hn::ScalableTag<std::uint32_t>;
using I32 = hn::ScalableTag<std::int32_t>;
using U16 = hn::ScalableTag<std::uint16_t>;
using HalfU16 = hn::Rebind<std::uint16_t, F32>;

/// The f32 values of one vector of 16-bit ones; which half has which is the format's choice.
struct Widened {
  Vec<F32> first;
  Vec<F32> second;
};

/// K on f32 values, Format in memory: widened on entry, rounded once on leaving.
template <class K, class Format>
struct OnHalves {
  using Stored = U16;
  using Register = Widened;
  using Scalar = float;
  static constexpr bool kWidens = true;
  static HWY_INLINE Register enter(Vec<U16> v) {
    const Register wide = Format::widen(v);
    return {K::enter(wide.first), K::enter(wide.second)};
  }
  static HWY_INLINE Vec<U16> leave(Register v) {
    return Format::narrow({K::leave(v.first), K::leave(v.second)});
  }
  static HWY_INLINE Register combine(Register a, Register b) {
    return {K::combine(a.first, b.first), K::combine(a.second, b.second)};
  }
  static HWY_INLINE void spill(Register v, float* to) {
    hn::Store(v.first, F32(), to);
    hn::Store(v.second, F32(), to + hn::Lanes(F32()));
  }
  static HWY_INLINE Register fill(const float* from) {
    return {hn::Load(F32(), from), hn::Load(F32(), from + hn::Lanes(F32()))};
  }
};

/// Drops the lowest `bits` of each lane, to nearest, ties to even.
template <int bits>
HWY_INLINE Vec<U32> round_off(Vec<U32> v) {
  const auto last_kept = hn::And(hn::ShiftRight<bits>(v), hn::Set(U32(), 1u));
  return hn::ShiftRight<bits>(hn::Add(hn::Add(v, hn::Set(U32(), (1u << (bits - 1)) - 1u)), last_kept));
}

/// Even and odd lanes apart: a bf16 is the upper half of its f32, so that nothing has to move between lanes.
struct Bf16 {
  static HWY_INLINE Widened widen(Vec<U16> v) {
    const auto both = hn::BitCast(U32(), v);
    const auto odd = hn::And(both, hn::Set(U32(), 0xffff0000u));
    return {hn::BitCast(F32(), hn::ShiftLeft<16>(both)), hn::BitCast(F32(), odd)};
  }
  /// A NaN is the canonical one here, which no carry can turn into an infinity.
  static HWY_INLINE Vec<U16> narrow(Widened v) {
    const auto even = round_off<16>(hn::BitCast(U32(), v.first));
    const auto odd = hn::ShiftLeft<16>(round_off<16>(hn::BitCast(U32(), v.second)));
    return hn::BitCast(U16(), hn::Or(even, odd));
  }
};

#if HWY_TARGET == HWY_SSE4
/// Without F16C, by integer arithmetic; Highway's own emulation knows neither infinity nor NaN.
struct F16Part {
  static HWY_INLINE Vec<F32> widen(Vec<HalfU16> v) {
    const auto half = hn::PromoteTo(U32(), v);
    const auto sign = hn::ShiftLeft<16>(hn::And(half, hn::Set(U32(), 0x8000u)));
    const auto magnitude = hn::ShiftLeft<13>(hn::And(half, hn::Set(U32(), 0x7fffu)));
    // Rebias by 2^(127 - 15), exact for subnormals too; infinities and NaN get all exponent bits.
    const auto scaled = hn::Mul(hn::BitCast(F32(), magnitude), hn::Set(F32(), 0x1p112f));
    const auto special = hn::VecFromMask(U32(), hn::Gt(magnitude, hn::Set(U32(), (0x7c00u << 13) - 1u)));
    const auto exponent = hn::And(special, hn::Set(U32(), 0x7f800000u));
    return hn::BitCast(F32(), hn::Or(sign, hn::Or(hn::BitCast(U32(), scaled), exponent)));
  }
  static HWY_INLINE Vec<HalfU16> narrow(Vec<F32> v) {
    const auto bits = hn::BitCast(U32(), v);
    const auto sign = hn::And(hn::ShiftRight<16>(bits), hn::Set(U32(), 0x8000u));
    const auto magnitude = hn::And(bits, hn::Set(U32(), 0x7fffffffu));
    const auto normal = round_off<13>(hn::Sub(magnitude, hn::Set(U32(), (127u - 15u) << 23)));
    // Adding 0.5 leaves the value in units of 2^-24 in the lowest bits, rounded by the addition.
    const auto shifted = hn::Add(hn::BitCast(F32(), magnitude), hn::Set(F32(), 0.5f));
    const auto subnormal = hn::Sub(hn::BitCast(U32(), shifted), hn::Set(U32(), 0x3f000000u));
    const auto is_nan = hn::Gt(magnitude, hn::Set(U32(), 0x7f800000u));
    const auto huge = hn::IfThenElse(is_nan, hn::Set(U32(), 0x7e00u), hn::Set(U32(), 0x7c00u));
    auto half = hn::IfThenElse(hn::Lt(magnitude, hn::Set(U32(), 0x38800000u)), subnormal, normal);
    half = hn::IfThenElse(hn::Gt(magnitude, hn::Set(U32(), 0x477fffffu)), huge, half);
    // From signed lanes, because the saturating conversion from unsigned ones does not exist; all are below
    // 2^16.
    return hn::DemoteTo(HalfU16(), hn::BitCast(I32(), hn::Or(half, sign)));
  }
};
#else
struct F16Part {
  using HalfF16 = hn::Rebind<hwy::float16_t, F32>;
  static HWY_INLINE Vec<F32> widen(Vec<HalfU16> v) { return hn::PromoteTo(F32(), hn::BitCast(HalfF16(), v)); }
  static HWY_INLINE Vec<HalfU16> narrow(Vec<F32> v) {
    return hn::BitCast(HalfU16(), hn::DemoteTo(HalfF16(), v));
  }
};
#endif

/// Lower and upper half of the vector apart.
struct F16 {
  static HWY_INLINE Widened widen(Vec<U16> v) {
    return {F16Part::widen(hn::LowerHalf(HalfU16(), v)), F16Part::widen(hn::UpperHalf(HalfU16(), v))};
  }
  static HWY_INLINE Vec<U16> narrow(Widened v) {
    return hn::Combine(U16(), F16Part::narrow(v.second), F16Part::narrow(v.first));
  }
};

template <class K>
using FromBf16 = OnHalves<K, Bf16>;
template <class K>
using FromF16 = OnHalves<K, F16>;

}  // namespace
}  // namespace foldlane::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard per target
