// The map of the segment: what stands where, who writes it, and how large it is.
//
//   header page(s)   SegmentHeader, places of the ranks            written once by the creator
//   launcher lines   LauncherLine, one EndedLine per rank          writer: the launcher
//   team ids         TeamIdWord × teams                            writers: leaders of teams, by claim
//   partition 0..    RankLines, slots × n, TeamLines × teams       writer: rank r (its doorbell: any sleeper)
//   heap 0..         memory handed out to rank 0's program, and    committed on demand
//                    its malloc's (shm/program_heap/program_heap.hpp)           by touching
//
// Every line is 64 bytes and has one writing rank (but for doorbells and team ids, which are off the data
// path, and for boxes and slots that two members hand to each other, engine/team/pair_boxes.hpp), so no store
// of one rank ever takes a line from another's store.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "shm/sync/atoms.hpp"
#include "shm/sync/doorbell.hpp"
#include "shm/sync/inbox.hpp"

namespace foldlane::shm {

inline constexpr std::uint64_t kLineBytes = 64;
inline constexpr std::uint64_t kPageBytes = 4096;
inline constexpr std::uint32_t kMaxRanks = 4096;
/// The pipeline fills chunk c+1 before it has collected chunk c-1 (engine/algorithms/fold_shares.hpp): with
/// fewer slots than three it would wait for itself, and with three every member waits for the slowest at each
/// chunk. Each slot has a mark of its own in the line of steps, which has room for no more.
inline constexpr std::uint32_t kSlots = 4;

inline constexpr std::uint64_t round_up(std::uint64_t bytes, std::uint64_t multiple) {
  return (bytes + multiple - 1) / multiple * multiple;
}

/// What determines every size and offset of a segment.
struct SegmentShape {
  std::uint32_t ranks;
  std::uint32_t teams;  // how many teams may exist at a time
  std::uint64_t slot_bytes;
  std::uint64_t heap_bytes;  // address space per rank; costs memory when handed out or, by malloc, touched
};

/// The published formula (`foldlane info`): four slots of 256 KiB per rank, whatever the number of ranks.
SegmentShape shape_for(int ranks);

struct SegmentHeader {
  char magic[8];
  std::uint32_t version;
  std::uint32_t wake;  // shm::Wake of all ranks
  std::uint64_t layout_hash;
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

/// Writer: the launcher. The abort word is zero until the job has failed, then a packed Failure
/// (shm/job/job.hpp). `deaths` counts the ranks that have died: who waits long compares it with what it saw.
struct alignas(kLineBytes) LauncherLine {
  Epoch abort_word;
  Epoch deaths;
};

/// Writer: the launcher. `ended` is not zero once rank r's process is gone; `death` is the packed Failure if
/// that was not as it should be.
struct alignas(kLineBytes) EndedLine {
  Flag ended;
  Epoch death;
};

/// Writer: rank r. `state` is RankState, which goes back only when a rank returns with another session; its
/// first step is claimed by compare-and-swap, so that a second process with the same environment (a rank's
/// child) is refused. Lines of teams with ids below `lines_ready` are committed; `lines_refused` is set when
/// no more of them could be.
struct alignas(kLineBytes) RankRecord {
  Epoch state;
  Epoch lines_ready;
  Flag abort_code;
  Flag lines_refused;
};

/// What a rank tells others who have no team with it yet (engine/job/postings.hpp). Writer: rank r. Valid
/// while `key` is not zero.
template <class Atoms>
struct alignas(kLineBytes) BasicPosting {
  static constexpr std::size_t kFacts = 6;
  using Facts = std::array<std::uint64_t, kFacts>;
  typename Atoms::template Word<std::uint64_t> key;
  Facts facts;
};
using Posting = BasicPosting<RealAtoms>;

struct RankLines {
  static constexpr std::size_t kPostings = 32;
  RankRecord record;
  Doorbell<RealAtoms> doorbell;
  Inbox<RealAtoms> inbox;
  Watchers<RealAtoms> watchers;
  Posting postings[kPostings];
};

/// Who has a team id, and from which epoch on its lines are fresh: first epoch * 2 + (1 if in use).
using TeamIdWord = Epoch;

/// A call as its member announced it, for peers that wait longer than they should
/// (engine/team/roll_call.hpp).
template <class Atoms>
struct BasicCallRecord {
  using Word = typename Atoms::template Word<std::uint64_t>;
  Word chain;  // depends on all calls up to this one
  Word what;
  Word count;
  Word seal;  // number of the call on this team, from 1, ^ a hash of chain, what and count
};

/// One rank's lines in one team. Writer: that rank.
template <class Atoms>
struct BasicTeamLines {
  using Epoch = typename Atoms::template Word<std::uint64_t>;
  static constexpr std::size_t kPayloadBytes = 2 * kLineBytes - sizeof(Epoch);
  /// What shares a line with its mark.
  static constexpr std::size_t kOneLinePayloadBytes = kLineBytes - sizeof(Epoch);
  /// Prefetchers fetch lines in pairs; two lines that different members poll must not be one pair.
  static constexpr std::size_t kSpacingBytes = 2 * kLineBytes;
  static constexpr std::size_t kRecords = 8;

  /// Payload and mark (epoch and call signature, engine/team/agreement.hpp) in one line, the second of a
  /// pair: one miss brings both, and the prefetcher the first line, where longer payloads begin (64 bytes 44
  /// ns like 8, two cores that share a cache). Two of them, used in turn. Payloads start with a line, so that
  /// a vector load does not reach into another.
  struct alignas(kSpacingBytes) Inline {
    std::byte payload[kPayloadBytes];
    Epoch mark;

    /// Where a payload of so many bytes begins.
    static constexpr std::size_t start_of(std::size_t bytes) noexcept {
      return bytes <= kOneLinePayloadBytes ? kLineBytes : 0;
    }
  };
  /// A step of a grouped fold (engine/algorithms/fold_grouped.hpp): my slot i, `where[i]` pages behind the
  /// start of my slots, holds what that step made of the marked epoch.
  struct alignas(kLineBytes) Stage {
    Epoch done[kSlots];
    std::uint32_t where[kSlots];
  };
  /// `filled[i]`: my slot i holds my input of the marked epoch, `where[i]` pages behind the start of my
  /// slots; or, where that says kElsewhere, my input lies at `elsewhere[i]` in the heaps, counted from the
  /// first one's start. `folded`: it holds the result of my share.
  struct alignas(kSpacingBytes) Steps {
    Epoch filled[kSlots];
    Epoch folded;
    std::uint32_t where[kSlots];
    std::uint64_t elsewhere[kSlots];
  };
  static constexpr std::uint32_t kElsewhere = ~std::uint32_t{0};
  /// `delivered[i]`: what I pass the other member of a team of two in the marked epoch is in its box
  /// (engine/team/pair_boxes.hpp). `to_group`: for my group, as `filled` is for everybody.
  struct alignas(kSpacingBytes) Deliveries {
    Epoch delivered[kSlots];
    Stage to_group;
  };
  /// What members of other groups await, those of the same package in one pair of lines, those of other ones
  /// in another: a word that nobody awaits there would only carry its line across. `up`: values of my group;
  /// `down`: results.
  struct alignas(kSpacingBytes) Crossing {
    Stage up;
    Stage down;
  };
  static constexpr std::size_t kCrossings = 2;
  /// I have read everything of others up to that epoch. Read only by who needs a place back: a line of its
  /// own. `broken`: I have given this team up, and why.
  struct alignas(kSpacingBytes) Finished {
    Epoch epoch;
    Epoch broken;
  };
  struct alignas(kSpacingBytes) Calls {
    BasicCallRecord<Atoms> records[kRecords];
  };

  Inline inline_lines[2];
  Steps steps;
  Deliveries deliveries;
  Finished finished;
  Calls calls;
  Crossing crossings[kCrossings];
};
using TeamLines = BasicTeamLines<RealAtoms>;

static_assert(sizeof(TeamLines::Steps) == 2 * kLineBytes);
static_assert(sizeof(TeamLines) == 18 * kLineBytes && alignof(TeamLines) == 2 * kLineBytes);
static_assert(sizeof(RankLines) <= kPageBytes);
static_assert(std::is_trivially_copyable_v<TeamLines> && std::is_standard_layout_v<TeamLines>);
static_assert(std::is_trivially_copyable_v<RankLines> && std::is_standard_layout_v<RankLines>);

/// Offsets that follow from a shape. All are multiples of a page.
struct SegmentMap {
  std::uint64_t launcher_offset;
  std::uint64_t ended_offset;
  std::uint64_t team_ids_offset;
  std::uint64_t partitions_offset;
  std::uint64_t partition_bytes;
  std::uint64_t slots_offset;       // within a partition
  std::uint64_t team_lines_offset;  // within a partition
  std::uint64_t heaps_offset;
  std::uint64_t total_bytes;
};
SegmentMap map_of(const SegmentShape& shape);

/// Changes whenever a struct or offset rule above changes, so that two builds that differ refuse each other.
std::uint64_t layout_hash();

}  // namespace foldlane::shm
