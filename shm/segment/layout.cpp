#include "shm/segment/layout.hpp"

#include <sys/resource.h>
#include <sys/sysinfo.h>

#include <algorithm>

#include "shm/base/hash.hpp"

namespace foldlane::shm {
namespace {

std::uint64_t physical_bytes() {
  struct sysinfo info {};
  sysinfo(&info);
  return std::uint64_t{info.totalram} * info.mem_unit;
}

/// Gives the areas of a kind places from `at` on. Returns where they end.
std::uint64_t place(SegmentMap& map, const SegmentShape& shape, Keeper keeper, Commit commit,
                    std::uint64_t at) {
  for (std::size_t i = 0; i < shape.area_count; ++i) {
    const AreaShape& area = shape.areas[i];
    if (area.keeper != keeper || area.commit != commit) continue;
    // What is committed by itself has pages of its own.
    at = round_up(at, commit == Commit::by_creator ? kAreaAlignment : kPageBytes);
    map.areas[i] = at;
    at += area.element_bytes * area.elements;
  }
  return round_up(at, kPageBytes);
}

std::uint64_t place_growing(SegmentMap& map, const SegmentShape& shape, std::uint64_t at) {
  for (std::size_t i = 0; i < shape.area_count; ++i) {
    const AreaShape& area = shape.areas[i];
    if (area.commit != Commit::as_needed) continue;
    map.areas[i] = at;
    const Chunk chunk = chunk_of(area);
    at += (area.elements + chunk.elements - 1) / chunk.elements * chunk.bytes * shape.ranks;
  }
  return at;
}

std::uint64_t place_scattered(SegmentMap& map, const SegmentShape& shape, std::uint64_t at) {
  for (std::size_t i = 0; i < shape.area_count; ++i) {
    if (shape.areas[i].commit != Commit::one_by_one) continue;
    map.areas[i] = at;
    at += scattered_bytes(shape.areas[i]) * shape.ranks;
  }
  return at;
}

/// Two areas of each kind, so that every rule of map_of() has a part in it.
SegmentShape sample() {
  SegmentShape shape{};
  shape.ranks = 3;
  shape.heap_bytes = 2 * kPageBytes;
  for (const AreaShape& area :
       {AreaShape{8, 3, Keeper::job, Commit::by_creator}, AreaShape{64, 5, Keeper::rank, Commit::by_creator},
        AreaShape{kPageBytes, 2, Keeper::rank, Commit::by_rank},
        AreaShape{128, 40, Keeper::rank, Commit::as_needed}}) {
    shape.areas[shape.area_count] = shape.areas[shape.area_count + 4] = area;
    ++shape.area_count;
  }
  shape.area_count *= 2;
  // One of these is enough: nothing lies behind it but the heaps.
  shape.areas[3].commit = Commit::one_by_one;
  return shape;
}

void mix_own(Hash& hash) {
  const SegmentMap map = map_of(sample());
  for (const std::uint64_t fact : {sizeof(SegmentHeader),
                                   sizeof(RankPlaceEntry),
                                   sizeof(LauncherLine),
                                   offsetof(LauncherLine, deaths),
                                   offsetof(LauncherLine, looked),
                                   offsetof(EndedLine, death),
                                   offsetof(RankRecord, abort_code),
                                   sizeof(RankLines),
                                   offsetof(RankLines, doorbell),
                                   offsetof(RankLines, inbox),
                                   offsetof(RankLines, watchers),
                                   offsetof(RankLines, growth),
                                   offsetof(Growth, refused),
                                   map.launcher_offset,
                                   map.ended_offset,
                                   map.controls_offset,
                                   map.controls_bytes,
                                   map.buffers_offset,
                                   map.buffers_bytes,
                                   map.growing_offset,
                                   map.heaps_offset,
                                   map.total_bytes}) {
    hash.mix(fact);
  }
  for (const std::uint64_t offset : map.areas) hash.mix(offset);
}

}  // namespace

std::uint64_t heap_bytes_for(int ranks) {
  std::uint64_t all_heaps_bytes = kReachBytes - kReachBytes / 8;  // the rest is for what lies before them
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    all_heaps_bytes = std::min<std::uint64_t>(all_heaps_bytes, limit.rlim_cur / 4);
  }
  const auto share = all_heaps_bytes / static_cast<std::uint64_t>(ranks);
  return round_up(std::min(2 * physical_bytes(), share), kHugePageBytes);
}

SegmentShape shape_of(int ranks, std::uint64_t heap_bytes, std::span<const Area> areas) {
  SegmentShape shape{};
  shape.ranks = static_cast<std::uint32_t>(ranks);
  shape.heap_bytes = heap_bytes;
  shape.layout_hash = layout_hash(areas);
  shape.area_count = static_cast<std::uint32_t>(areas.size());  // if they are too many, check_shape() says so
  for (std::size_t i = 0; i < std::min<std::size_t>(areas.size(), kMostAreas); ++i)
    shape.areas[i] = areas[i].shape;
  return shape;
}

Chunk chunk_of(const AreaShape& area) noexcept {
  const std::uint64_t elements = std::max<std::uint64_t>(1, kPageBytes / area.element_bytes);
  return {elements, round_up(elements * area.element_bytes, kPageBytes)};
}

std::uint64_t scattered_bytes(const AreaShape& area) noexcept {
  return round_up(area.elements * area.element_bytes, kPageBytes);
}

SegmentMap map_of(const SegmentShape& shape) {
  const std::uint64_t ranks = shape.ranks;
  SegmentMap map{};
  map.launcher_offset = kPageBytes + round_up(ranks * sizeof(RankPlaceEntry), kPageBytes);
  map.ended_offset = map.launcher_offset + kPageBytes;
  map.controls_offset = place(map, shape, Keeper::job, Commit::by_creator,
                              map.ended_offset + round_up(ranks * sizeof(EndedLine), kPageBytes));
  map.controls_bytes =
      place(map, shape, Keeper::rank, Commit::by_creator, map.controls_offset + sizeof(RankLines)) -
      map.controls_offset;
  map.buffers_offset = map.controls_offset + ranks * map.controls_bytes;
  map.buffers_bytes =
      place(map, shape, Keeper::rank, Commit::by_rank, map.buffers_offset) - map.buffers_offset;
  map.growing_offset = map.buffers_offset + ranks * map.buffers_bytes;
  const std::uint64_t grown = place_growing(map, shape, map.growing_offset);
  map.heaps_offset = round_up(place_scattered(map, shape, grown), kHugePageBytes);
  map.total_bytes = map.heaps_offset + ranks * shape.heap_bytes;
  return map;
}

std::uint64_t layout_hash(std::span<const Area> areas) {
  Hash hash;
  mix_own(hash);
  for (const Area& area : areas) {
    hash.mix(area.name);
    hash.mix(static_cast<std::uint64_t>(area.shape.keeper));
    hash.mix(static_cast<std::uint64_t>(area.shape.commit));
    hash.mix(area.fields.empty() ? 0 : area.shape.element_bytes);
    for (const Field& field : area.fields) {
      hash.mix(field.name);
      hash.mix(field.offset);
      hash.mix(field.bytes);
    }
  }
  return hash.value();
}

}  // namespace foldlane::shm
