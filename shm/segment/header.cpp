#include "shm/segment/header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

#include "shm/base/hash.hpp"

namespace foldlane::shm {
namespace {

constexpr char kMagic[8] = {'F', 'O', 'L', 'D', 'L', 'A', 'N', 'E'};
constexpr std::uint32_t kVersion = 4;

bool is_sane(const AreaShape& area) {
  const bool is_known = area.keeper <= Keeper::rank && area.commit <= Commit::one_by_one;
  // The launcher's pages are committed as a whole.
  const bool is_possible = area.keeper == Keeper::rank || area.commit == Commit::by_creator;
  // A rank's buffers begin with pages, which is how places in them are named.
  const bool is_whole = area.commit != Commit::by_rank || area.element_bytes % kPageBytes == 0;
  // With kMostAreas and kMaxRanks of them, and their last pages half empty, 2^59 bytes: no overflow.
  const std::uint64_t most = (std::uint64_t{1} << 43) - kPageBytes;
  return is_known && is_possible && is_whole && area.element_bytes >= 1 && area.element_bytes <= 1 << 30 &&
         area.elements <= 1 << 20 && area.elements <= most / area.element_bytes;
}

}  // namespace

std::uint64_t checksum(const SegmentHeader& header, std::span<const RankPlaceEntry> places) {
  Hash hash;
  hash.mix({reinterpret_cast<const char*>(&header), offsetof(SegmentHeader, checksum)});
  hash.mix({reinterpret_cast<const char*>(places.data()), places.size_bytes()});
  return hash.value();
}

Error bad_segment(std::string why) {
  return {Errc::bad_segment, "attaching to the job's shared segment: " + std::move(why) +
                                 "; launcher and library must be of the same Foldlane build"};
}

Result<void> check_shape(const SegmentShape& shape) {
  if (shape.ranks < 1 || shape.ranks > kMaxRanks) {
    return Error{Errc::invalid, fmt::format("a job has 1 to {} ranks, not {}", kMaxRanks, shape.ranks)};
  }
  const bool sane = shape.area_count <= kMostAreas && shape.heap_bytes % kPageBytes == 0 &&
                    shape.heap_bytes <= std::uint64_t{1} << 46 &&
                    std::all_of(shape.areas, shape.areas + shape.area_count, is_sane);
  if (!sane) return Error{Errc::invalid, "the segment's sizes are out of range"};
  return {};
}

/// Every field that later code relies on, checked before it is relied on.
Result<void> validate(const SegmentHeader& header, std::uint64_t file_bytes, std::uint64_t layout_hash) {
  if (std::memcmp(header.magic, kMagic, sizeof(kMagic)) != 0)
    return bad_segment("it is not a Foldlane segment");
  if (header.version != kVersion) {
    return bad_segment(fmt::format("it has version {}, this library expects {}", header.version, kVersion));
  }
  if (header.shape.layout_hash != layout_hash) return bad_segment("its layout differs from this library's");
  if (const auto shape = check_shape(header.shape); !shape.ok()) return bad_segment(shape.error().message);
  if (header.total_bytes != map_of(header.shape).total_bytes)
    return bad_segment("its sizes contradict each other");
  if (header.total_bytes != file_bytes) {
    return bad_segment(fmt::format("it has {} bytes, its header says {}", file_bytes, header.total_bytes));
  }
  if (header.wake > static_cast<std::uint32_t>(Wake::locked))
    return bad_segment("its wake mechanism is unknown");
  return {};
}

std::vector<RankPlaceEntry> entries(const Placement& placement) {
  std::vector<RankPlaceEntry> result;
  for (const RankPlace& place : placement.ranks) {
    result.push_back({place.numa, place.llc, place.package});
  }
  return result;
}

/// Where ranks share CPUs they sleep often, and each membarrier interrupts all CPUs (two, 64 ranks: a sixth
/// of an allreduce of 800 KB); a locked instruction is nothing beside the switches.
Wake wake_for(const Placement& placement) {
  return !placement.oversubscribed && register_global_barrier() ? Wake::membarrier : Wake::locked;
}

SegmentHeader header_for(const SegmentShape& shape, const Placement& placement, std::uint64_t llc_bytes) {
  SegmentHeader header;
  std::memset(&header, 0, sizeof(header));  // padding too: the checksum covers it
  std::memcpy(header.magic, kMagic, sizeof(kMagic));
  header.version = kVersion;
  header.wake = static_cast<std::uint32_t>(wake_for(placement));
  header.shape = shape;
  header.total_bytes = map_of(shape).total_bytes;
  header.llc_bytes = llc_bytes;
  header.shared_cpus = placement.oversubscribed ? static_cast<std::uint32_t>(placement.cpus) : 0;
  return header;
}

}  // namespace foldlane::shm
