#include "shm/segment/layout.hpp"

#include <sys/resource.h>
#include <sys/sysinfo.h>

#include <algorithm>
#include <initializer_list>

namespace foldlane::shm {
namespace {

constexpr std::uint32_t kLayoutRevision = 4;
/// Address space: 1152 bytes of lines per team and rank, committed when a team first uses them.
constexpr std::uint32_t kTeams = 32768;
/// Two ranks on cores with 1 MiB of L2, 1 MiB and 64 MiB of doubles: 8 slots of 64 KiB take 80 and
/// 10,600 us, 4 of 256 KiB 63 and 9,500 us, 4 of 1 MiB 69 and 10,500 us.
constexpr std::uint64_t kSlotBytes = 256 << 10;
constexpr std::uint64_t kHugePageBytes = 2 << 20;

std::uint64_t physical_bytes() {
  struct sysinfo info {};
  sysinfo(&info);
  return std::uint64_t{info.totalram} * info.mem_unit;
}

/// Address space, not memory: for every rank twice what the machine has, for what it allocates here and for
/// its program's own heap (shm/program_heap/program_heap.hpp), as long as all of them together stay far below
/// the 47 bits of a user address space, and below a limit on it (`ulimit -v`).
std::uint64_t heap_bytes_for(int ranks) {
  std::uint64_t all_heaps_bytes = std::uint64_t{1} << 45;
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    all_heaps_bytes = std::min<std::uint64_t>(all_heaps_bytes, limit.rlim_cur / 4);
  }
  const auto share = all_heaps_bytes / static_cast<std::uint64_t>(ranks);
  return round_up(std::min(2 * physical_bytes(), share), kHugePageBytes);
}

}  // namespace

SegmentShape shape_for(int ranks) {
  return {.ranks = static_cast<std::uint32_t>(ranks),
          .teams = kTeams,
          .slot_bytes = kSlotBytes,
          .heap_bytes = heap_bytes_for(ranks)};
}

SegmentMap map_of(const SegmentShape& shape) {
  const std::uint64_t ranks = shape.ranks;
  SegmentMap map{};
  map.launcher_offset = kPageBytes + round_up(ranks * sizeof(RankPlaceEntry), kPageBytes);
  map.ended_offset = map.launcher_offset + kPageBytes;
  map.team_ids_offset = map.ended_offset + round_up(ranks * sizeof(EndedLine), kPageBytes);
  map.partitions_offset = map.team_ids_offset + round_up(shape.teams * sizeof(TeamIdWord), kPageBytes);
  map.slots_offset = round_up(sizeof(RankLines), kPageBytes);
  map.team_lines_offset = map.slots_offset + kSlots * shape.slot_bytes;
  map.partition_bytes = map.team_lines_offset + round_up(shape.teams * sizeof(TeamLines), kPageBytes);
  map.heaps_offset = round_up(map.partitions_offset + ranks * map.partition_bytes, kHugePageBytes);
  map.total_bytes = map.heaps_offset + ranks * shape.heap_bytes;
  return map;
}

std::uint64_t layout_hash() {
  std::uint64_t hash = 14695981039346656037ull;  // FNV-1a over what two builds must agree on
  const SegmentMap sample = map_of({3, 5, 4096, 8192});
  for (const std::uint64_t fact : {std::uint64_t{kLayoutRevision},
                                   std::uint64_t{sizeof(SegmentHeader)},
                                   std::uint64_t{sizeof(RankPlaceEntry)},
                                   std::uint64_t{sizeof(LauncherLine)},
                                   std::uint64_t{offsetof(LauncherLine, deaths)},
                                   std::uint64_t{offsetof(EndedLine, death)},
                                   std::uint64_t{sizeof(RankLines)},
                                   std::uint64_t{sizeof(TeamLines)},
                                   std::uint64_t{offsetof(RankLines, doorbell)},
                                   std::uint64_t{offsetof(RankLines, inbox)},
                                   std::uint64_t{offsetof(RankLines, watchers)},
                                   std::uint64_t{offsetof(TeamLines, steps)},
                                   std::uint64_t{offsetof(TeamLines, finished)},
                                   std::uint64_t{offsetof(TeamLines, calls)},
                                   std::uint64_t{offsetof(TeamLines, crossings)},
                                   sample.team_ids_offset,
                                   sample.team_lines_offset,
                                   sample.launcher_offset,
                                   sample.ended_offset,
                                   sample.partitions_offset,
                                   sample.partition_bytes,
                                   sample.slots_offset,
                                   sample.heaps_offset,
                                   sample.total_bytes}) {
    hash = (hash ^ fact) * 1099511628211ull;
  }
  return hash;
}

}  // namespace foldlane::shm
