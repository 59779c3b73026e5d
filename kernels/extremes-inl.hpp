// Minimum and maximum of reals (NUMERICS.md): lanes-inl.hpp's kernels on f32 and f64, and on bf16 and f16.
// Re-included by fold_simd.cpp once per target.
#if defined(FOLDLANE_KERNELS_EXTREMES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FOLDLANE_KERNELS_EXTREMES_INL
#undef FOLDLANE_KERNELS_EXTREMES_INL
#else
#define FOLDLANE_KERNELS_EXTREMES_INL
#endif

#include "kernels/avx3-inl.hpp"
#include "kernels/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace foldlane::kernels::HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_AVX3

/// NaN are kept beside the values; one compare sees those of two sources.
template <class T, int select, std::size_t bytes>
struct FloatExtreme : Float<T, bytes> {
  using D = Tag<T, bytes>;
  struct Register {
    Vec<D> value;
    hn::Mask<D> nan;
  };
  static HWY_INLINE Register combine(Vec<D> a, Vec<D> b) { return {range<select>(a, b), unordered(a, b)}; }
  static HWY_INLINE Register combine(Register a, Register b) {
    return {range<select>(a.value, b.value), hn::Or(a.nan, b.nan)};
  }
  static HWY_INLINE Register combine(Register a, Vec<D> b) {
    return {range<select>(a.value, b), hn::Or(a.nan, hn::IsNaN(b))};
  }
  static HWY_INLINE Vec<D> leave(Register v) {
    return hn::IfThenElse(v.nan, Float<T, bytes>::quiet_nan(), v.value);
  }
};

template <class T, std::size_t bytes = kWhole>
struct FloatMin : FloatExtreme<T, 0, bytes> {
  template <std::size_t fewer>
  using Within = FloatMin<T, fewer>;
};

template <class T, std::size_t bytes = kWhole>
struct FloatMax : FloatExtreme<T, 1, bytes> {
  template <std::size_t fewer>
  using Within = FloatMax<T, fewer>;
};

#else

/// IEEE minimum. The OR does the two hard cases at once: of equals it keeps a sign bit (-0 < +0), and
/// anything OR-ed to a NaN is a NaN, which Float::leave makes canonical.
template <class T, std::size_t bytes = kWhole>
struct FloatMin : Float<T, bytes> {
  template <std::size_t fewer>
  using Within = FloatMin<T, fewer>;
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
template <class T, std::size_t bytes = kWhole>
struct FloatMax : FloatMin<T, bytes> {
  template <std::size_t fewer>
  using Within = FloatMax<T, fewer>;
  using D = Tag<T, bytes>;
  static HWY_INLINE Vec<D> enter(Vec<D> v) { return hn::Neg(v); }
  static HWY_INLINE Vec<D> leave(Vec<D> v) { return Float<T, bytes>::leave(hn::Neg(v)); }
};

#endif

/// Both on the bits of 16-bit floats, which for numbers are ordered like integers with a sign and a
/// magnitude.
template <class Format, class Smaller, std::size_t bytes>
struct HalfExtreme {
  using Stored = Tag<std::uint16_t, bytes>;
  using D = Tag<std::int16_t, bytes>;
  struct Register {
    Vec<D> key;           // ordered like the values
    Vec<Stored> largest;  // magnitude: above that of infinity if there was a NaN
  };
  using Scalar = std::uint16_t;
  static constexpr bool kWidens = false;

  static HWY_INLINE Register enter(Vec<Stored> v) {
    return {swap_order(hn::BitCast(D(), v)), hn::And(v, hn::Set(Stored(), 0x7fff))};
  }
  static HWY_INLINE Register combine(Register a, Register b) {
    return {Smaller::combine(a.key, b.key), hn::Max(a.largest, b.largest)};
  }
  static HWY_INLINE Vec<Stored> leave(Register v) {
    const auto largest = hn::BitCast(D(), v.largest);
    const auto nan = hn::RebindMask(Stored(), hn::Gt(largest, hn::Set(D(), Format::kInfinity)));
    const auto value = hn::BitCast(Stored(), swap_order(v.key));
    return hn::IfThenElse(nan, hn::Set(Stored(), Format::kQuietNan), value);
  }

 private:
  /// From sign and magnitude to two's complement less one for negatives (-0 < +0), and back.
  static HWY_INLINE Vec<D> swap_order(Vec<D> v) {
    return hn::Xor(v, hn::And(hn::ShiftRight<15>(v), hn::Set(D(), 0x7fff)));
  }
};

template <class Format, std::size_t bytes = kWhole>
struct HalfMin : HalfExtreme<Format, IntegerMin<std::int16_t>, bytes> {
  template <std::size_t fewer>
  using Within = HalfMin<Format, fewer>;
};

template <class Format, std::size_t bytes = kWhole>
struct HalfMax : HalfExtreme<Format, IntegerMax<std::int16_t>, bytes> {
  template <std::size_t fewer>
  using Within = HalfMax<Format, fewer>;
};

}  // namespace
}  // namespace foldlane::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard per target
