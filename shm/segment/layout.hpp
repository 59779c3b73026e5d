// The map of the segment: what stands where, who writes it, and how large it is.
//
//   header page(s)   SegmentHeader, places of the ranks            written once by the creator
//   launcher lines   LauncherLine, one EndedLine per rank          writer: the launcher
//   job areas        of the layers above (shm/segment/area.hpp)
//   controls 0..     RankLines, areas by_creator                   writer: rank r (its doorbell: any sleeper)
//   buffers 0..      areas by_rank                                 writer: rank r
//   growing areas    as_needed, each: chunk 0 of all ranks,        writer: rank r
//                    chunk 1 of all ranks, ...
//   scattered areas  one_by_one, each: that of rank 0, of 1, ...   writer: see there
//   heap 0..         memory handed out to rank 0's program, and    committed on demand
//                    its malloc's (shm/program_heap/program_heap.hpp)           by touching
//
// What all ranks have of a kind lies together: whoever looks at everybody's lines does so through a few page
// tables. With one region per rank each process of 1,000 had a page table for each other one, 4 GiB of page
// tables in all.
//
// Every line is 64 bytes and has one writing rank (but for doorbells, which are off the data path, and for
// what an area says of itself), so no store of one rank ever takes a line from another's store.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "shm/segment/area.hpp"
#include "shm/sync/atoms.hpp"
#include "shm/sync/doorbell.hpp"
#include "shm/sync/inbox.hpp"

namespace foldlane::shm {

inline constexpr std::uint64_t kLineBytes = 64;
inline constexpr std::uint64_t kPageBytes = 4096;
inline constexpr std::uint64_t kHugePageBytes = 2 << 20;
inline constexpr std::uint32_t kMaxRanks = 4096;
/// Ranks name places to each other by 32 bits of pages: no two of a segment are farther apart.
inline constexpr std::uint64_t kReachBytes = kPageBytes << 32;

inline constexpr std::uint64_t round_up(std::uint64_t bytes, std::uint64_t multiple) {
  return (bytes + multiple - 1) / multiple * multiple;
}

/// What determines every size and offset of a segment.
struct SegmentShape {
  std::uint32_t ranks;
  std::uint32_t area_count;
  std::uint64_t heap_bytes;   // address space per rank; costs memory when handed out or, by malloc, touched
  std::uint64_t layout_hash;  // of what the areas consist of (shm/segment/area.hpp)
  AreaShape areas[kMostAreas];
};
SegmentShape shape_of(int ranks, std::uint64_t heap_bytes, std::span<const Area> areas);

/// Address space, not memory: for every rank twice what the machine has, for what it allocates here and for
/// its program's own heap (shm/program_heap/program_heap.hpp), as long as all of them together stay within
/// kReachBytes, and below a limit on address space (`ulimit -v`).
std::uint64_t heap_bytes_for(int ranks);

struct SegmentHeader {
  char magic[8];
  std::uint32_t version;
  std::uint32_t wake;  // shm::Wake of all ranks
  SegmentShape shape;
  std::uint64_t total_bytes;
  std::uint64_t llc_bytes;
  std::uint32_t shared_cpus;  // how many CPUs the ranks share; 0: each has its own
  std::uint32_t reserved;
  std::uint64_t checksum;  // over all fields above and the places
};
static_assert(sizeof(SegmentHeader) <= kPageBytes);

/// Where a rank's partition belongs, and what the rank shares with its neighbours
/// (shm/machine/placement.hpp); an array of these follows the header page.
struct RankPlaceEntry {
  std::int32_t numa;  // -1: anywhere
  std::int32_t llc;
  std::int32_t package;
};

using Epoch = RealAtoms::Word<std::uint64_t>;
using Flag = RealAtoms::Word<std::uint32_t>;

/// Writer: the launcher; any rank, if it is not ours (shm/job/life_lines.hpp). The abort word is zero until
/// the job has failed, then a packed Failure (shm/job/job.hpp). `deaths` counts the ranks that have died: who
/// waits long compares it with what it saw. `looked`: when a rank last looked for deaths.
struct alignas(kLineBytes) LauncherLine {
  Epoch abort_word;
  Epoch deaths;
  Epoch looked;
};

/// Writer: as above. `ended` is not zero once rank r's process is gone; `death` is the packed Failure if
/// that was not as it should be.
struct alignas(kLineBytes) EndedLine {
  Flag ended;
  Epoch death;
};

/// Writer: rank r. `state` is RankState, which goes back only when a rank returns with another session; its
/// first step is claimed by compare-and-swap, so that a second process with the same environment (a rank's
/// child) is refused.
struct alignas(kLineBytes) RankRecord {
  Epoch state;
  Flag abort_code;
};

/// How many elements of an area that grows are committed. Writer: rank r. `refused`: no more of them could
/// be.
struct Growth {
  Epoch ready;
  Flag refused;
};

struct RankLines {
  RankRecord record;
  Doorbell<RealAtoms> doorbell;
  Inbox<RealAtoms> inbox;
  Watchers<RealAtoms> watchers;
  alignas(kLineBytes) Growth growth[kMostAreas];
};

static_assert(sizeof(RankLines) <= kPageBytes);
static_assert(std::is_trivially_copyable_v<RankLines> && std::is_standard_layout_v<RankLines>);

/// What an area that grows is committed by: elements of one rank that fill whole pages.
struct Chunk {
  std::uint64_t elements;
  std::uint64_t bytes;
};
Chunk chunk_of(const AreaShape& area) noexcept;

/// What one rank's part of an area takes whose elements are committed one by one: address space.
std::uint64_t scattered_bytes(const AreaShape& area) noexcept;

/// Offsets that follow from a shape. Those of regions are multiples of a page.
struct SegmentMap {
  std::uint64_t launcher_offset;
  std::uint64_t ended_offset;
  std::uint64_t controls_offset;
  std::uint64_t controls_bytes;  // of a rank: what the creator commits
  std::uint64_t buffers_offset;
  std::uint64_t buffers_bytes;  // of a rank: what it commits when it joins
  std::uint64_t growing_offset;
  std::uint64_t heaps_offset;
  std::uint64_t total_bytes;
  std::array<std::uint64_t, kMostAreas> areas;  // in the segment, where rank 0's begins
};
SegmentMap map_of(const SegmentShape& shape);

}  // namespace foldlane::shm
