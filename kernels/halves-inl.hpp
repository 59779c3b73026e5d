// Arithmetic on bf16 and f16 with kernels of lanes-inl.hpp: f32 inside, rounded once on leaving. Re-included
// by fold_simd.cpp once per target.
#if defined(FOLDLANE_KERNELS_HALVES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FOLDLANE_KERNELS_HALVES_INL
#undef FOLDLANE_KERNELS_HALVES_INL
#else
#define FOLDLANE_KERNELS_HALVES_INL
#endif

#include "kernels/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace foldlane::kernels::HWY_NAMESPACE {
namespace {

/// Op<T, bytes>, a kernel on floats.
#define FOLDLANE_KERNEL         \
  template <class, std::size_t> \
  class

/// Even and odd lanes apart: a bf16 is the upper half of its f32, so that nothing has to move between lanes.
/// Two kernels of the same meaning do the work, because they may use different units of the CPU.
template <FOLDLANE_KERNEL OnEven, FOLDLANE_KERNEL OnOdd, std::size_t bytes = kWhole>
struct OnBf16 {
  using Stored = Tag<std::uint16_t, bytes>;
  using F32 = hn::Repartition<float, Stored>;
  using U32 = hn::Repartition<std::uint32_t, Stored>;
  using Even = OnEven<float, bytes>;
  using Odd = OnOdd<float, bytes>;
  struct Register {
    Vec<F32> even;
    Vec<F32> odd;
  };
  using Scalar = float;
  static constexpr bool kWidens = true;
  static constexpr std::size_t kLeastBytes = sizeof(float);
  template <std::size_t fewer>
  using Within = OnBf16<OnEven, OnOdd, fewer>;

  static HWY_INLINE Register enter(Vec<Stored> v) {
    const auto both = hn::BitCast(U32(), v);
    const auto odd = hn::And(both, hn::Set(U32(), 0xffff0000u));
    return {hn::BitCast(F32(), hn::ShiftLeft<16>(both)), hn::BitCast(F32(), odd)};
  }
  static HWY_INLINE Register combine(Register a, Register b) {
    return {Even::combine(a.even, b.even), Odd::combine(a.odd, b.odd)};
  }
  static HWY_INLINE Vec<Stored> leave(Register v) {
    return round(halves(hn::BitCast(U32(), Even::leave(v.even)), hn::BitCast(U32(), Odd::leave(v.odd))));
  }
#if HWY_TARGET == HWY_AVX3
  static constexpr bool kTellsNans = bytes == kWhole;
  /// As leave(), but a NaN is any, and noted: in a register of integers, because an OR of masks costs what
  /// this is to save. Of a fold's NaN the lower half is 0, as of the inputs: it is not rounded.
  static HWY_INLINE Vec<Stored> leave(Register v, unsigned& nans) {
    nans |= unordered(v.even, v.odd).raw;
    return round(halves(hn::BitCast(U32(), v.even), hn::BitCast(U32(), v.odd)));
  }
#endif
  static HWY_INLINE void spill(Register v, float* to) {
    hn::Store(v.even, F32(), to);
    hn::Store(v.odd, F32(), to + hn::Lanes(F32()));
  }
  static HWY_INLINE Register fill(const float* from) {
    return {hn::Load(F32(), from), hn::Load(F32(), from + hn::Lanes(F32()))};
  }

 private:
  struct Halves {
    Vec<Stored> upper;
    Vec<Stored> lower;
  };
  /// To nearest, ties to even, in 16-bit lanes: up if the lower half is above its middle, or just there while
  /// the upper one is odd. A NaN is the canonical one here, whose lower half is 0.
  static HWY_INLINE Vec<Stored> round(Halves half) {
    const Stored d;
#if HWY_TARGET == HWY_AVX3
    const auto above = hn::OrAnd(half.lower, half.upper, hn::Set(d, 1));
    return increase(half.upper, hn::Gt(above, hn::Set(d, 0x8000)));
#else
    // lower + 0x7fff + (upper & 1) carries exactly if the upper half has to go up. The average of two is
    // their sum without its lowest bit, so that its top bit is the carry.
    const auto addend = hn::OrAnd(hn::Set(d, 0x7ffe), half.upper, hn::Set(d, 1));
    return hn::Add(half.upper, hn::ShiftRight<15>(hn::AverageRound(half.lower, addend)));
#endif
  }
  static HWY_INLINE Halves halves(Vec<U32> even, Vec<U32> odd) {
    const Stored d;
#if HWY_TARGET == HWY_AVX3
    if constexpr (hn::MaxLanes(Stored()) == kWhole / sizeof(std::uint16_t)) {
      return {interleave_halves<true>(hn::BitCast(d, even), hn::BitCast(d, odd)),
              interleave_halves<false>(hn::BitCast(d, even), hn::BitCast(d, odd))};
    }
#endif
    return {hn::OddEven(hn::BitCast(d, odd), hn::BitCast(d, hn::ShiftRight<16>(even))),
            hn::OddEven(hn::BitCast(d, hn::ShiftLeft<16>(odd)), hn::BitCast(d, even))};
  }
};

/// One f16 vector, half as long as that of its values, which are whole vectors on AVX-512 only: AVX2 converts
/// straight from and to memory half a vector at a time.
template <FOLDLANE_KERNEL Op, std::size_t bytes = HWY_TARGET == HWY_AVX3 ? 32 : 16>
struct OnF16 {
  using F32 = hn::CappedTag<float, bytes / 2>;
  using U32 = hn::RebindToUnsigned<F32>;
  using I32 = hn::RebindToSigned<F32>;
  using Stored = hn::Rebind<std::uint16_t, F32>;
  using K = Op<float, 2 * bytes>;
  using Register = Vec<F32>;
  using Scalar = float;
  static constexpr bool kWidens = true;
  template <std::size_t fewer>
  using Within = OnF16<Op, fewer>;

  static HWY_INLINE Register enter(Vec<Stored> v) { return widen(v); }
  static HWY_INLINE Register combine(Register a, Register b) { return K::combine(a, b); }
  static HWY_INLINE Vec<Stored> leave(Register v) { return narrow(K::leave(v)); }
  static HWY_INLINE void spill(Register v, float* to) { hn::Store(v, F32(), to); }
  static HWY_INLINE Register fill(const float* from) { return hn::Load(F32(), from); }

 private:
#if HWY_TARGET == HWY_SSE4
  /// Without F16C, by integer arithmetic; Highway's own emulation knows neither infinity nor NaN.
  static HWY_INLINE Vec<F32> widen(Vec<Stored> v) {
    const auto half = hn::PromoteTo(U32(), v);
    const auto sign = hn::ShiftLeft<16>(hn::And(half, hn::Set(U32(), 0x8000u)));
    const auto magnitude = hn::ShiftLeft<13>(hn::And(half, hn::Set(U32(), 0x7fffu)));
    // Rebias by 2^(127 - 15), exact for subnormals too; infinities and NaN get all exponent bits.
    const auto scaled = hn::Mul(hn::BitCast(F32(), magnitude), hn::Set(F32(), 0x1p112f));
    const auto special = hn::VecFromMask(U32(), hn::Gt(magnitude, hn::Set(U32(), (0x7c00u << 13) - 1u)));
    const auto exponent = hn::And(special, hn::Set(U32(), 0x7f800000u));
    return hn::BitCast(F32(), hn::Or(sign, hn::Or(hn::BitCast(U32(), scaled), exponent)));
  }
  static HWY_INLINE Vec<Stored> narrow(Vec<F32> v) {
    const auto bits = hn::BitCast(U32(), v);
    const auto sign = hn::And(hn::ShiftRight<16>(bits), hn::Set(U32(), 0x8000u));
    const auto magnitude = hn::And(bits, hn::Set(U32(), 0x7fffffffu));
    const auto normal = round_off(hn::Sub(magnitude, hn::Set(U32(), (127u - 15u) << 23)));
    // Adding 0.5 leaves the value in units of 2^-24 in the lowest bits, rounded by the addition.
    const auto shifted = hn::Add(hn::BitCast(F32(), magnitude), hn::Set(F32(), 0.5f));
    const auto subnormal = hn::Sub(hn::BitCast(U32(), shifted), hn::Set(U32(), 0x3f000000u));
    const auto is_nan = hn::Gt(magnitude, hn::Set(U32(), 0x7f800000u));
    const auto huge = hn::IfThenElse(is_nan, hn::Set(U32(), 0x7e00u), hn::Set(U32(), 0x7c00u));
    auto half = hn::IfThenElse(hn::Lt(magnitude, hn::Set(U32(), 0x38800000u)), subnormal, normal);
    half = hn::IfThenElse(hn::Gt(magnitude, hn::Set(U32(), 0x477fffffu)), huge, half);
    // From signed lanes, because the saturating conversion from unsigned ones does not exist; all are below
    // 2^16.
    return hn::DemoteTo(Stored(), hn::BitCast(I32(), hn::Or(half, sign)));
  }
  /// Drops the lowest 13 bits, to nearest, ties to even.
  static HWY_INLINE Vec<U32> round_off(Vec<U32> v) {
    const auto last_kept = hn::And(hn::ShiftRight<13>(v), hn::Set(U32(), 1u));
    return hn::ShiftRight<13>(hn::Add(hn::Add(v, hn::Set(U32(), (1u << 12) - 1u)), last_kept));
  }
#else
  using HalfF16 = hn::Rebind<hwy::float16_t, F32>;
  static HWY_INLINE Vec<F32> widen(Vec<Stored> v) { return hn::PromoteTo(F32(), hn::BitCast(HalfF16(), v)); }
  static HWY_INLINE Vec<Stored> narrow(Vec<F32> v) {
    auto halves = hn::DemoteTo(HalfF16(), v);
#if HWY_TARGET == HWY_AVX3
    asm("" : "+v"(halves.raw));  // a conversion straight to memory is three times as slow on Zen 5
#endif
    return hn::BitCast(Stored(), halves);
  }
#endif
};

#undef FOLDLANE_KERNEL

struct Bf16 {
  static constexpr std::int16_t kInfinity = 0x7f80;
  static constexpr std::uint16_t kQuietNan = 0x7fc0;
  using Sum = OnBf16<FloatSum, FloatSumFused>;
  using Prod = OnBf16<FloatProd, FloatProd>;
};

struct F16 {
  static constexpr std::int16_t kInfinity = 0x7c00;
  static constexpr std::uint16_t kQuietNan = 0x7e00;
  using Sum = OnF16<FloatSumFused>;
  using Prod = OnF16<FloatProd>;
};

}  // namespace
}  // namespace foldlane::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard per target
