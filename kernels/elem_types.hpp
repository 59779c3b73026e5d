// The C++ types behind each Elem, as they lie in memory. Internal to kernels/.
#pragma once

#include <cstddef>
#include <cstdint>

namespace foldlane::kernels {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 Uint128;

#ifdef __x86_64__
__extension__ typedef __float128 Quad;
/// An x87 value fills 10 of the 16 bytes of a long double; the rest is padding.
inline constexpr std::size_t kF80ValueBytes = 10;
#else
using Quad = long double;
inline constexpr std::size_t kF80ValueBytes = sizeof(long double);
#endif

/// The layout a C compiler gives MPI's pair types, padding included.
template <class Value, class Index>
struct PairLayout {
  Value value;
  Index index;
};

static_assert(sizeof(long double) == 16 && sizeof(Quad) == 16);
static_assert(sizeof(PairLayout<std::int16_t, std::int32_t>) == 8);
static_assert(sizeof(PairLayout<double, std::int32_t>) == 16);
static_assert(sizeof(PairLayout<long double, std::int32_t>) == 32);

}  // namespace foldlane::kernels
