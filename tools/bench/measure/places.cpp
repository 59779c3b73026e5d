#include "bench/measure/places.hpp"

#include <algorithm>

#include "bench/measure/arena.hpp"
#include "bench/measure/fold_kernels.hpp"
#include "bench/measure/window.hpp"
#include "bench/report/pattern.hpp"
#include "bench/values/elements.hpp"

namespace foldlane::bench {

namespace {

/// Where a program's buffers begin. glibc's malloc has 16 bytes of its own at the start of what it maps for a
/// long one. Where in a page the two ends of a copy begin may matter a lot: Zen 3's `rep movsb` is 16 times
/// slower if the destination begins less than half a line further into its page.
std::size_t shift_of(const Case& what) {
  constexpr std::size_t kMallocBytes = 16;
  if (what.bytes == 0) return 0;
  if (what.unaligned) return element_bytes(what.type);
  return what.huge_pages || what.alloc_mem ? 0 : kMallocBytes;
}

}  // namespace

std::size_t input_bytes(const Case& what) {
  return what.call == "fold" ? static_cast<std::size_t>(what.ranks) * source_stride(what)
                             : buffer_bytes(what);
}

std::uint64_t share_of_cache(std::uint64_t llc_bytes, int ranks, int usable_cpus) {
  return llc_bytes * static_cast<std::uint64_t>(std::clamp(usable_cpus, 1, ranks)) /
         static_cast<std::uint64_t>(ranks);
}

Places places_of(const Case& what, std::uint64_t cache_bytes) {
  const std::size_t lines = (input_bytes(what) / kLineBytes + 2) * kLineBytes;
  Places places{1, lines, shift_of(what)};
  if (what.buffers != Buffers::rotating) return places;
  // Both buffers together twice the share; small ones far apart, so that a slice does not come round again.
  constexpr std::size_t kMostPlaces = Window::kMaxCalls;
  places.stride = std::max(lines, (cache_bytes / kMostPlaces / kLineBytes + 1) * kLineBytes);
  places.number = static_cast<unsigned>(std::max<std::uint64_t>(2, cache_bytes / places.stride));
  return places;
}

}  // namespace foldlane::bench
