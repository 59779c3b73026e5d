#include "perf/streams.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <optional>

#include "perf/roof.hpp"
#include "shm/machine/topology.hpp"

namespace foldlane::perf {
namespace {

using kernels::Elem;

constexpr std::size_t kMostStreams = 9;
constexpr std::size_t kLineBytes = 64, kPageBytes = 4096;
// Streams start seven lines apart modulo a page. At the same place modulo a page, a load is taken to depend
// on the store before, and the lines of all streams compete for the same sets of the cache.
constexpr std::size_t kStaggerBytes = 7 * kLineBytes;

std::size_t l1_bytes() {
  constexpr std::size_t kSmallest = 32U << 10;
  const long size = ::sysconf(_SC_LEVEL1_DCACHE_SIZE);
  return size > 0 ? static_cast<std::size_t>(size) : kSmallest;
}

std::vector<Level> find_levels() {
  constexpr std::size_t kUnknown = 64U << 20;
  const auto topology = shm::discover_topology();
  const std::size_t l2 = topology.ok() ? topology.value().l2_bytes : 0;
  const std::size_t llc = topology.ok() ? topology.value().llc_bytes : 0;
  std::vector<Level> found{{"L1", l1_bytes() / 2}};
  if (l2 > 0) found.push_back({"L2", l2 / 2});
  if (llc > l2) found.push_back({"L3", llc / 2});
  found.push_back({"DRAM", 2 * std::max({llc, l2, llc + l2 == 0 ? kUnknown : 0})});
  return found;
}

std::size_t stride_of(std::size_t bytes) {
  return (bytes + kPageBytes - 1) / kPageBytes * kPageBytes + kStaggerBytes;
}

std::size_t stream_bytes(const Level& level, std::size_t streams) {
  return std::max<std::size_t>(1, level.bytes / streams / kRoofBytes) * kRoofBytes;
}

/// One of the type: products of ones neither grow nor vanish, and no operand is a denormal number or a NaN.
std::vector<std::byte> one_of(Elem elem) {
  std::vector<std::byte> bytes(kernels::elem_bytes(elem));
  const auto store = [&](auto value) { std::memcpy(bytes.data(), &value, sizeof value); };
  switch (elem) {
    case Elem::bf16:
      store(std::uint16_t{0x3f80});
      break;
    case Elem::f16:
      store(std::uint16_t{0x3c00});
      break;
    case Elem::f32:
      store(1.0F);
      break;
    case Elem::f64:
    case Elem::c64:
      store(1.0);
      break;
    default:
      bytes.front() = std::byte{1};
  }
  return bytes;
}

/// Large enough for every case.
class Region {
 public:
  Region() : bytes_(levels().back().bytes + kMostStreams * stride_of(0) + kMostStreams * kPageBytes) {
    constexpr std::size_t kHugePageBytes = 2U << 20;
    bytes_ = (bytes_ + kHugePageBytes - 1) / kHugePageBytes * kHugePageBytes;
    at_ = static_cast<std::byte*>(std::aligned_alloc(kHugePageBytes, bytes_));
    if (at_ == nullptr) throw std::bad_alloc();
    ::madvise(at_, bytes_, MADV_HUGEPAGE);
  }
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;
  ~Region() { std::free(at_); }

  std::byte* of_ones(Elem elem) {
    if (elem == elem_) return at_;
    const std::vector<std::byte> one = one_of(elem);
    for (std::size_t i = 0; i < bytes_; i += one.size()) std::memcpy(at_ + i, one.data(), one.size());
    elem_ = elem;
    return at_;
  }

 private:
  std::size_t bytes_;
  std::byte* at_;
  std::optional<Elem> elem_;
};

}  // namespace

const std::vector<Level>& levels() {
  static const std::vector<Level> all = find_levels();
  return all;
}

Streams::Streams(const Level& level, std::size_t sources, Elem elem)
    : bytes_(stream_bytes(level, sources + 1)) {
  static Region region;
  std::byte* const start = region.of_ones(elem);
  for (std::size_t i = 0; i < sources; ++i) sources_.push_back(start + i * stride_of(bytes_));
  result_ = start + sources * stride_of(bytes_);
}

}  // namespace foldlane::perf
