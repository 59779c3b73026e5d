#include "bench/values/test_values.hpp"

#include <cstring>
#include <type_traits>

#include "bench/values/elements.hpp"

namespace foldlane::bench {
namespace {

constexpr std::uint64_t kMostSources = 1024;  // so that no two share a value's number

std::uint64_t mixed(std::uint64_t x) {  // the finaliser of SplitMix64
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

/// What a rank folds at an index. Floating-point values that are exact: small whole numbers, whose sums are;
/// their products would not be, so those are of 1 and -1 only.
template <class T>
T value_of(const Case& what, Values values, int rank, std::uint64_t index) {
  const std::uint64_t bits = mixed(index * kMostSources + static_cast<std::uint64_t>(rank));
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(bits);
  } else {
    if (values == Values::random) return static_cast<T>(bits >> 11) * static_cast<T>(0x1p-53) - T{0.5};
    if (what.op == "prod") return bits % 2 == 0 ? T{1} : T{-1};
    return static_cast<T>(bits % 17) - T{8};
  }
}

template <class T>
void fill_with(const Case& what, Values values, int rank, std::uint64_t first, std::size_t count,
               std::byte* to) {
  for (std::size_t i = 0; i < count; ++i) {
    const T value = value_of<T>(what, values, rank, first + i);
    std::memcpy(to + i * sizeof(T), &value, sizeof(T));
  }
}

}  // namespace

void fill_values(const Case& what, Values values, int rank, std::uint64_t first, std::size_t count,
                 std::byte* to) {
  const ElementType& type = element_type(what.type);
  if (type.elem == kernels::Elem::f64) return fill_with<double>(what, values, rank, first, count, to);
  if (type.elem == kernels::Elem::f32) return fill_with<float>(what, values, rank, first, count, to);
  if (type.bytes == 1) return fill_with<std::uint8_t>(what, values, rank, first, count, to);
  if (type.bytes == 2) return fill_with<std::uint16_t>(what, values, rank, first, count, to);
  if (type.bytes == 4) return fill_with<std::uint32_t>(what, values, rank, first, count, to);
  fill_with<std::uint64_t>(what, values, rank, first, count, to);
}

}  // namespace foldlane::bench
