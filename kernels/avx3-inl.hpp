// Instructions of AVX-512 that Highway does not have, on its vectors. Re-included by fold_simd.cpp once per
// target, empty for all but one.
#if defined(FOLDLANE_KERNELS_AVX3_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FOLDLANE_KERNELS_AVX3_INL
#undef FOLDLANE_KERNELS_AVX3_INL
#else
#define FOLDLANE_KERNELS_AVX3_INL
#endif

#include <cstdint>
#include <type_traits>

#include "hwy/highway.h"

#if HWY_TARGET == HWY_AVX3
HWY_BEFORE_NAMESPACE();
namespace foldlane::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// v, but `nan` where v is a NaN.
template <class V>
HWY_INLINE V replace_nan(V v, V nan) {
  // What a lane becomes, 4 bits for each class: 0 = the first operand for quiet and signalling NaN, 1 = the
  // second for the others.
  constexpr int kTable = 0x11111100;
  if constexpr (std::is_same_v<hn::TFromV<V>, float>) {
    if constexpr (sizeof v.raw == 64)
      return V{_mm512_fixupimm_ps(nan.raw, v.raw, _mm512_set1_epi32(kTable), 0)};
    if constexpr (sizeof v.raw == 32)
      return V{_mm256_fixupimm_ps(nan.raw, v.raw, _mm256_set1_epi32(kTable), 0)};
    if constexpr (sizeof v.raw == 16) return V{_mm_fixupimm_ps(nan.raw, v.raw, _mm_set1_epi32(kTable), 0)};
  } else {
    if constexpr (sizeof v.raw == 64)
      return V{_mm512_fixupimm_pd(nan.raw, v.raw, _mm512_set1_epi32(kTable), 0)};
    if constexpr (sizeof v.raw == 32)
      return V{_mm256_fixupimm_pd(nan.raw, v.raw, _mm256_set1_epi32(kTable), 0)};
    if constexpr (sizeof v.raw == 16) return V{_mm_fixupimm_pd(nan.raw, v.raw, _mm_set1_epi32(kTable), 0)};
  }
}

/// The upper, or the lower, halves of the 32-bit lanes of two vectors in turn: even[0], odd[0], even[1], ...
template <bool upper, class V>
HWY_INLINE V interleave_halves(V even, V odd) {
  const hn::DFromV<V> d;
  static_assert(sizeof even.raw == 64);
  constexpr std::uint16_t kOfSecond = 32;
  const auto lane = hn::Iota(d, 0);
  const auto is_odd = hn::And(lane, hn::Set(d, 1));
  const auto lower = hn::Add(hn::Sub(lane, is_odd), hn::Mul(is_odd, hn::Set(d, kOfSecond)));
  const auto from = hn::Add(lower, hn::Set(d, upper ? 1 : 0));
  return V{_mm512_permutex2var_epi16(even.raw, from.raw, odd.raw)};
}

/// v, one more where `more`.
template <class V, class M>
HWY_INLINE V increase(V v, M more) {
  if constexpr (sizeof v.raw == 64)
    return V{_mm512_mask_add_epi16(v.raw, more.raw, v.raw, _mm512_set1_epi16(1))};
  if constexpr (sizeof v.raw == 32)
    return V{_mm256_mask_add_epi16(v.raw, more.raw, v.raw, _mm256_set1_epi16(1))};
  if constexpr (sizeof v.raw == 16) return V{_mm_mask_add_epi16(v.raw, more.raw, v.raw, _mm_set1_epi16(1))};
}

/// VRANGE orders zeros as we want, but prefers numbers to NaN.
template <int select, class V>
HWY_INLINE V range(V a, V b) {
  constexpr int kSignOfResult = 4;
  constexpr int kControl = select | kSignOfResult;
  if constexpr (std::is_same_v<hn::TFromV<V>, float>) {
    if constexpr (sizeof a.raw == 64) return V{_mm512_range_ps(a.raw, b.raw, kControl)};
    if constexpr (sizeof a.raw == 32) return V{_mm256_range_ps(a.raw, b.raw, kControl)};
    if constexpr (sizeof a.raw == 16) return V{_mm_range_ps(a.raw, b.raw, kControl)};
  } else {
    if constexpr (sizeof a.raw == 64) return V{_mm512_range_pd(a.raw, b.raw, kControl)};
    if constexpr (sizeof a.raw == 32) return V{_mm256_range_pd(a.raw, b.raw, kControl)};
    if constexpr (sizeof a.raw == 16) return V{_mm_range_pd(a.raw, b.raw, kControl)};
  }
}

/// Where a or b is a NaN.
template <class V>
HWY_INLINE auto unordered(V a, V b) {
  using M = hn::Mask<hn::DFromV<V>>;
  if constexpr (std::is_same_v<hn::TFromV<V>, float>) {
    if constexpr (sizeof a.raw == 64) return M{_mm512_cmp_ps_mask(a.raw, b.raw, _CMP_UNORD_Q)};
    if constexpr (sizeof a.raw == 32) return M{_mm256_cmp_ps_mask(a.raw, b.raw, _CMP_UNORD_Q)};
    if constexpr (sizeof a.raw == 16) return M{_mm_cmp_ps_mask(a.raw, b.raw, _CMP_UNORD_Q)};
  } else {
    if constexpr (sizeof a.raw == 64) return M{_mm512_cmp_pd_mask(a.raw, b.raw, _CMP_UNORD_Q)};
    if constexpr (sizeof a.raw == 32) return M{_mm256_cmp_pd_mask(a.raw, b.raw, _CMP_UNORD_Q)};
    if constexpr (sizeof a.raw == 16) return M{_mm_cmp_pd_mask(a.raw, b.raw, _CMP_UNORD_Q)};
  }
}

}  // namespace
}  // namespace foldlane::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#endif  // include guard per target
