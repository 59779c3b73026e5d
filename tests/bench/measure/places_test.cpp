// Where the data of a case lie.
#include "bench/measure/places.hpp"

#include <gtest/gtest.h>

namespace foldlane::bench {
namespace {

constexpr std::uint64_t kCacheBytes = 32 << 20;

std::size_t shift(const Case& what) { return places_of(what, kCacheBytes).shift; }

TEST(Places, BeginWhereThoseOfMallocDo) {
  const Case what{.call = "allreduce", .bytes = 4096};
  EXPECT_EQ(shift(what), 16u);
  Case other = what;
  other.unaligned = true;
  EXPECT_EQ(shift(other), sizeof(double));
  other = what;
  other.huge_pages = true;
  EXPECT_EQ(shift(other), 0u);
  other = what;
  other.alloc_mem = true;
  EXPECT_EQ(shift(other), 0u);
  EXPECT_EQ(shift({.call = "barrier"}), 0u);
}

TEST(Places, DoNotOverlap) {
  for (const Buffers buffers : {Buffers::hot, Buffers::rotating}) {
    for (const std::uint64_t bytes : {8u, 48u, 4096u, 100'000u}) {
      const Case what{.call = "allreduce", .bytes = bytes, .buffers = buffers};
      const Places places = places_of(what, kCacheBytes);
      EXPECT_EQ(places.stride % 64, 0u);
      EXPECT_GE(places.stride, places.shift + bytes);
      EXPECT_EQ(places.number > 1, buffers == Buffers::rotating);
      if (buffers == Buffers::rotating && bytes >= 4096) {
        EXPECT_GE(2 * places.number * places.stride, kCacheBytes);
      }
    }
  }
}

}  // namespace
}  // namespace foldlane::bench
