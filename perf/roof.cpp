#include "perf/roof.hpp"

#include <cstdint>
#include <cstdlib>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "perf/roof.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace foldlane::perf::HWY_NAMESPACE {
namespace {

using Vectors = hwy::HWY_NAMESPACE::ScalableTag<std::uint64_t>;
constexpr std::size_t kWords = kRoofBytes / sizeof(std::uint64_t);

template <std::size_t k>
void roof_of(std::uint64_t* dst, const void* const* sources, std::size_t words) noexcept {
  namespace hn = hwy::HWY_NAMESPACE;
  const Vectors d;
  const std::uint64_t* from[k];
  for (std::size_t s = 0; s < k; ++s) from[s] = static_cast<const std::uint64_t*>(sources[s]);
  for (std::size_t block = 0; block < words; block += kWords) {
    for (std::size_t i = block; i < block + kWords; i += hn::Lanes(d)) {
      auto sum = hn::Load(d, from[0] + i);
      for (std::size_t s = 1; s < k; ++s) sum = hn::Xor(sum, hn::Load(d, from[s] + i));
      hn::Store(sum, d, dst + i);
    }
  }
}

void any_roof(void* dst, const void* const* sources, std::size_t k, std::size_t bytes) {
  auto* const to = static_cast<std::uint64_t*>(dst);
  const std::size_t words = bytes / sizeof *to;
  switch (k) {
    case 2:
      return roof_of<2>(to, sources, words);
    case 4:
      return roof_of<4>(to, sources, words);
    case 8:
      return roof_of<8>(to, sources, words);
    default:
      std::abort();
  }
}

}  // namespace
}  // namespace foldlane::perf::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foldlane::perf {

HWY_EXPORT(any_roof);

void roof(void* dst, const void* const* sources, std::size_t k, std::size_t bytes) noexcept {
  HWY_DYNAMIC_DISPATCH(any_roof)(dst, sources, k, bytes);
}

}  // namespace foldlane::perf
#endif  // HWY_ONCE
