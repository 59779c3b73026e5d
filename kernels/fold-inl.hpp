// How a k-way fold walks memory, for any kernel of lanes-inl.hpp: re-included by fold_simd.cpp once per
// target.
//
// Up to k = 8 the canonical tree of one vector stands in registers and every source is read once. A larger k
// goes strip by strip: small subtrees are folded into a strip of scratch on the stack, strips are merged up
// the tree, and the last merge writes the destination.
#if defined(FOLDLANE_KERNELS_FOLD_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FOLDLANE_KERNELS_FOLD_INL
#undef FOLDLANE_KERNELS_FOLD_INL
#else
#define FOLDLANE_KERNELS_FOLD_INL
#endif

#include <bit>
#include <cstddef>
#include <cstring>

#include "kernels/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace foldlane::kernels::HWY_NAMESPACE {
namespace {

/// Scratch per level of the tree. Ten levels (k = 1024) stay in half an L1 cache beside the sources.
constexpr std::size_t kStripBytes = 2048;

/// User buffers: the lanes of memory, at any alignment, never beyond the last one asked for. The pointers are
/// copied, because a store to the destination could change the caller's array as far as the compiler knows.
template <class K, std::size_t k>
struct UserSources {
  using T = hn::TFromD<typename K::Stored>;
  const T* at[k];

  explicit HWY_INLINE UserSources(const void* const* sources) {
    for (std::size_t s = 0; s < k; ++s) at[s] = static_cast<const T*>(sources[s]);
  }
  HWY_INLINE auto load(std::size_t source, std::size_t lane) const {
    return K::enter(hn::LoadU(typename K::Stored(), at[source] + lane));
  }
  HWY_INLINE auto load(std::size_t source, std::size_t lane, std::size_t lanes) const {
    return K::enter(load_partial(typename K::Stored(), at[source] + lane, lanes));
  }
};

template <class K>
struct UserDestination {
  using T = hn::TFromD<typename K::Stored>;
  T* dst;

  HWY_INLINE void store(typename K::Register v, std::size_t lane) const {
    hn::StoreU(K::leave(v), typename K::Stored(), dst + lane);
  }
  HWY_INLINE void store(typename K::Register v, std::size_t lane, std::size_t lanes) const {
    store_partial(K::leave(v), typename K::Stored(), dst + lane, lanes);
  }
};

/// Kernels that tell NaN more cheaply than they make them canonical: that is done at the end, in memory, if
/// there were any. NaN are rare, and replacing what is none costs a fifth of the speed of bf16 at k = 2.
template <class K>
requires(K::kTellsNans) struct UserDestination<K> {
  using T = hn::TFromD<typename K::Stored>;
  T* dst;
  unsigned nans = 0;

  HWY_INLINE void store(typename K::Register v, std::size_t lane) {
    hn::StoreU(K::leave(v, nans), typename K::Stored(), dst + lane);
  }
  HWY_INLINE void store(typename K::Register v, std::size_t lane, std::size_t lanes) {
    store_partial(K::leave(v, nans), typename K::Stored(), dst + lane, lanes);
  }
  HWY_INLINE void finish(std::size_t lanes) const {
    if (HWY_UNLIKELY(nans != 0)) replace_nans(dst, lanes);
  }
  static HWY_NOINLINE void replace_nans(T* dst, std::size_t lanes) {
    constexpr std::size_t kStep = hn::MaxLanes(typename K::Stored());
    const void* const sources[1] = {dst};
    const UserSources<K, 1> from(sources);
    for (std::size_t lane = 0; lane < lanes; lane += kStep) {
      const std::size_t some = HWY_MIN(kStep, lanes - lane);
      store_partial(K::leave(from.load(0, lane, some)), typename K::Stored(), dst + lane, some);
    }
  }
};

/// Wide scratch holds values before leave(), in whole steps: what a partial one adds behind the end is never
/// stored.
template <class K>
struct WideSources {
  const typename K::Scalar* strips[2];

  HWY_INLINE auto load(std::size_t source, std::size_t lane, std::size_t = 0) const {
    return K::fill(strips[source] + lane);
  }
};

template <class K>
struct WideDestination {
  typename K::Scalar* strip;

  HWY_INLINE void store(typename K::Register v, std::size_t lane, std::size_t = 0) const {
    K::spill(v, strip + lane);
  }
};

/// The canonical tree over sources lo .. lo + k - 1, in registers. `where` is (lane) or (lane, lanes).
template <class K, std::size_t k, class Sources, class... Where>
HWY_INLINE auto tree(const Sources& sources, std::size_t lo, Where... where) {
  if constexpr (k == 1) {
    return sources.load(lo, where...);
  } else {
    constexpr std::size_t left = std::bit_floor(k - 1);
    return K::combine(tree<K, left>(sources, lo, where...), tree<K, k - left>(sources, lo + left, where...));
  }
}

/// Folds `lanes` lanes of k sources.
template <class K, std::size_t k, class Sources, class Destination>
HWY_INLINE void fold_range(Sources sources, Destination destination, std::size_t lanes) {
  constexpr std::size_t kStep = hn::MaxLanes(typename K::Stored());
  std::size_t lane = 0;
#pragma GCC unroll 2
  for (; lanes - lane >= kStep; lane += kStep) destination.store(tree<K, k>(sources, 0, lane), lane);
  if (lane != lanes) destination.store(tree<K, k>(sources, 0, lane, lanes - lane), lane, lanes - lane);
  if constexpr (requires { destination.finish(lanes); }) destination.finish(lanes);
}

template <class K, std::size_t k, class Destination>
HWY_NOINLINE void fold_user(const void* const* sources, Destination destination, std::size_t lanes) {
  fold_range<K, k>(UserSources<K, k>(sources), destination, lanes);
}

/// The same from lane `begin` of the sources on. Not a parameter of fold_user: the compiler would add it to
/// two pointers at once, in a vector register whose load waits for the caller's two stores (20 ns of a small
/// fold).
template <class K, std::size_t k, class Destination>
HWY_INLINE void fold_user_from(std::size_t begin, const void* const* sources, Destination destination,
                               std::size_t lanes) {
  using T = hn::TFromD<typename K::Stored>;
  const void* from[k];
  for (std::size_t s = 0; s < k; ++s) from[s] = static_cast<const T*>(sources[s]) + begin;
  fold_user<K, k>(from, destination, lanes);
}

/// Sources in the left subtree of k: the largest power of two below k.
HWY_INLINE std::size_t left_part(std::size_t k) {
  return std::size_t{1} << (63 - __builtin_clzll(static_cast<unsigned long long>(k - 1)));
}

/// Where a subtree's values of one strip stand.
template <class K>
struct Strip {
  using T = typename K::Scalar;
  static constexpr std::size_t kLanes = kStripBytes / sizeof(T);
  alignas(64) T lanes[kLanes];
};

/// Kernels whose registers hold what memory holds: a strip is like any user buffer (leave() and enter() again
/// change nothing), so that the same few functions serve the leaves and the inner nodes of the tree.
template <class K, bool widens = K::kWidens>
struct Strips {
  using Values = const void*;

  /// Lanes [begin, begin + lanes) of k sources; `scratch` may or may not be where the result stands.
  static HWY_NOINLINE Values fold(const void* const* sources, std::size_t k, std::size_t begin,
                                  std::size_t lanes, Strip<K>& scratch) {
    const UserDestination<K> to{scratch.lanes};
    switch (k) {
      case 1:
        return static_cast<const typename K::Scalar*>(sources[0]) + begin;
      case 2:
        fold_user_from<K, 2>(begin, sources, to, lanes);
        return scratch.lanes;
      case 4:
        fold_user_from<K, 4>(begin, sources, to, lanes);
        return scratch.lanes;
      case 8:
        fold_user_from<K, 8>(begin, sources, to, lanes);
        return scratch.lanes;
      default:
        break;
    }
    const std::size_t left_k = left_part(k);
    Strip<K> more;
    const Values left = fold(sources, left_k, begin, lanes, scratch);
    const Values right = fold(sources + left_k, k - left_k, begin, lanes, more);
    merge(left, right, to, lanes);
    return scratch.lanes;
  }

  static void merge(Values left, Values right, UserDestination<K> to, std::size_t lanes) {
    const void* const both[2] = {left, right};
    fold_user<K, 2>(both, to, lanes);
  }
};

/// Kernels on halves: strips keep the wide values, so that only the end result is rounded.
template <class K>
struct Strips<K, true> {
  using Values = const typename K::Scalar*;

  static HWY_NOINLINE Values fold(const void* const* sources, std::size_t k, std::size_t begin,
                                  std::size_t lanes, Strip<K>& scratch) {
    const WideDestination<K> to{scratch.lanes};
    if (k == 1) {
      fold_user_from<K, 1>(begin, sources, to, lanes);
    } else if (k == 4) {
      fold_user_from<K, 4>(begin, sources, to, lanes);
    } else {
      const std::size_t left_k = left_part(k);
      Strip<K> more;
      const Values left = fold(sources, left_k, begin, lanes, scratch);
      const Values right = fold(sources + left_k, k - left_k, begin, lanes, more);
      merge(left, right, to, lanes);
    }
    return scratch.lanes;
  }

  template <class Destination>
  static HWY_NOINLINE void merge(Values left, Values right, Destination to, std::size_t lanes) {
    fold_range<K, 2>(WideSources<K>{{left, right}}, to, lanes);
  }
};

/// Any k: a strip of the destination is written only after that strip of every source has been read, so that
/// the destination may be one of the sources.
template <class K>
HWY_NOINLINE void fold_strips(hn::TFromD<typename K::Stored>* dst, const void* const* sources, std::size_t k,
                              std::size_t lanes) {
  const std::size_t left_k = left_part(k);
  Strip<K> left_scratch;
  Strip<K> right_scratch;
  for (std::size_t begin = 0; begin < lanes;) {
    const std::size_t some = HWY_MIN(lanes - begin, Strip<K>::kLanes);
    const auto left = Strips<K>::fold(sources, left_k, begin, some, left_scratch);
    const auto right = Strips<K>::fold(sources + left_k, k - left_k, begin, some, right_scratch);
    Strips<K>::merge(left, right, UserDestination<K>{dst + begin}, some);
    begin += some;
  }
}

template <class K>
void fold_lanes(void* dst, const void* const* sources, std::size_t k, std::size_t lanes) {
  using T = hn::TFromD<typename K::Stored>;
  const UserDestination<K> to{static_cast<T*>(dst)};
  switch (k) {
    case 1:
      if (dst != sources[0] && lanes != 0) std::memcpy(dst, sources[0], lanes * sizeof(T));
      return;
    case 2:
      return fold_user<K, 2>(sources, to, lanes);
    case 3:
      return fold_user<K, 3>(sources, to, lanes);
    case 4:
      return fold_user<K, 4>(sources, to, lanes);
    case 5:
      return fold_user<K, 5>(sources, to, lanes);
    case 6:
      return fold_user<K, 6>(sources, to, lanes);
    case 7:
      return fold_user<K, 7>(sources, to, lanes);
    case 8:
      return fold_user<K, 8>(sources, to, lanes);
    default:
      return fold_strips<K>(to.dst, sources, k, lanes);
  }
}

}  // namespace
}  // namespace foldlane::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard per target
