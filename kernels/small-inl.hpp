// Folds that are over within a call's latency: one element, and two sources shorter than two vectors.
// Re-included by fold_simd.cpp once per target.
//
// Nothing here is loaded or stored by mask. A load that spans several stores of the caller, or one by mask,
// waits until they have reached the cache; a masked store seems to hold up later loads of the 64 bytes that
// it might write (not isolated: without masks 8 bytes take 6 ns instead of 15).
#if defined(FOLDLANE_KERNELS_SMALL_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FOLDLANE_KERNELS_SMALL_INL
#undef FOLDLANE_KERNELS_SMALL_INL
#else
#define FOLDLANE_KERNELS_SMALL_INL
#endif

#include <cstddef>
#include <cstring>

#include "kernels/fold-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace foldlane::kernels::HWY_NAMESPACE {
namespace {

/// What one vector of K holds at least, in bytes of memory.
template <class K>
constexpr std::size_t kLeast = sizeof(hn::TFromD<typename K::Stored>);
template <class K>
requires requires { K::kLeastBytes; }
constexpr std::size_t kLeast<K> = K::kLeastBytes;

/// One element of `lanes` lanes, loaded and stored exactly.
template <class K, std::size_t lanes>
struct One {
  using T = hn::TFromD<typename K::Stored>;
  static constexpr std::size_t kBytes = lanes * sizeof(T);
  static constexpr bool kFits = kBytes >= kLeast<K>;
  /// Of one lane the compiler's intrinsics promise themselves an aligned address.
  static constexpr bool kAsVector = kFits && lanes > 1;
  using Part = typename K::template Within<HWY_MAX(kBytes, kLeast<K>)>;
  using D = typename Part::Stored;
  static_assert(!kFits || hn::MaxLanes(D()) == lanes);

  const void* const* sources;

  HWY_INLINE auto load(std::size_t source) const {
    const T* const from = static_cast<const T*>(sources[source]);
    if constexpr (kAsVector) {
      return Part::enter(hn::LoadU(D(), from));
    } else {
      T value;
      std::memcpy(&value, from, sizeof value);
      return Part::enter(hn::Set(D(), value));
    }
  }
  static HWY_INLINE void store(typename Part::Register v, void* dst) {
    if constexpr (kAsVector) {
      hn::StoreU(Part::leave(v), D(), static_cast<T*>(dst));
    } else {
      const T value = hn::GetLane(Part::leave(v));
      std::memcpy(dst, &value, sizeof value);
    }
  }
};

template <class K, std::size_t lanes, std::size_t k>
HWY_INLINE void fold_one(void* dst, const void* const* sources) {
  using Element = One<K, lanes>;
  Element::store(tree<typename Element::Part, k>(Element{sources}, 0), dst);
}

/// Two vectors of `bytes` bytes, which may overlap, if they cover the lanes exactly; else false. Both are
/// folded before one is stored, because the destination may be a source.
template <class K, std::size_t bytes, std::size_t elem_bytes>
HWY_INLINE bool fold_two_parts(void* dst, const void* const* sources, std::size_t lanes) {
  using Part = typename K::template Within<bytes>;
  using T = hn::TFromD<typename K::Stored>;
  constexpr std::size_t kLanes = bytes / sizeof(T);
  if constexpr (bytes <= elem_bytes || hn::MaxLanes(typename Part::Stored()) != kLanes) {
    return false;
  } else {
    if (lanes < kLanes || lanes > 2 * kLanes) return false;
    const UserSources<Part, 2> from(sources);
    const UserDestination<Part> to{static_cast<T*>(dst)};
    const auto head = tree<Part, 2>(from, 0, std::size_t{0});
    const auto tail = tree<Part, 2>(from, 0, lanes - kLanes);
    to.store(head, 0);
    to.store(tail, lanes - kLanes);
    return true;
  }
}

template <class K, std::size_t elem_bytes>
HWY_INLINE void fold_pair(void* dst, const void* const* sources, std::size_t lanes) {
  if (fold_two_parts<K, 32, elem_bytes>(dst, sources, lanes)) return;
  if (fold_two_parts<K, 16, elem_bytes>(dst, sources, lanes)) return;
  if (fold_two_parts<K, 8, elem_bytes>(dst, sources, lanes)) return;
  fold_lanes<K>(dst, sources, 2, lanes);
}

/// The FoldFunction of a kernel; complex and byte-wise kernels have several lanes per element.
template <class K, std::size_t lanes_per_elem = 1>
void fold(void* dst, const void* const* sources, std::size_t k, std::size_t count) noexcept {
  const std::size_t lanes = count * lanes_per_elem;
  if (k == 2) {
    if (count == 1) return fold_one<K, lanes_per_elem, 2>(dst, sources);
    return fold_pair<K, lanes_per_elem * sizeof(hn::TFromD<typename K::Stored>)>(dst, sources, lanes);
  }
  if (count == 1) {
    if (k == 3) return fold_one<K, lanes_per_elem, 3>(dst, sources);
    if (k == 4) return fold_one<K, lanes_per_elem, 4>(dst, sources);
    if (k == 8) return fold_one<K, lanes_per_elem, 8>(dst, sources);
  }
  fold_lanes<K>(dst, sources, k, lanes);
}

}  // namespace
}  // namespace foldlane::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard per target
