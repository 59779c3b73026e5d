// What the members of a team write for each other: lines in the segment, one writer each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "engine/data/pieces.hpp"
#include "shm/segment/layout.hpp"
#include "shm/sync/atoms.hpp"
#include "shm/sync/doorbell.hpp"

namespace foldlane::engine {

using shm::kLineBytes;

/// The pipeline fills chunk c+1 before it has collected chunk c-1 (engine/algorithms/fold_shares.hpp): with
/// fewer slots than three it would wait for itself, and with three every member waits for the slowest at each
/// chunk. Each slot has a pair of lines for its mark; more would not fit two pages.
inline constexpr std::uint32_t kSlots = 4;

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
  /// A root runs ahead of its readers by so many short broadcasts (8 bytes, back to back, with 2 and with 32
  /// lines: 2 ranks near 66 and 30 ns; where ranks share CPUs, each time it must wait is a switch of all of
  /// them: 8 ranks on 2 CPUs 5.3 and 0.39 us). Longer rings fill more of the nearest cache with what is used
  /// once. A model explores few.
  static constexpr std::uint64_t kInlineLines = [] {
    if constexpr (requires { Atoms::kInlineLines; }) return Atoms::kInlineLines;
    return std::uint64_t{32};
  }();
  /// Who has fallen behind by all inline lines and all slots still finds what the others did there.
  static constexpr std::size_t kRecords = 2 * kInlineLines + kSlots;

  /// Payload and mark (epoch and call signature, engine/team/agreement.hpp) in one line, the second of a
  /// pair: one miss brings both, and the prefetcher the first line, where longer payloads begin (64 bytes 44
  /// ns like 8, two cores that share a cache). A ring of them, used in turn. Payloads start with a line, so
  /// that a vector load does not reach into another.
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
  /// A slot of mine holds my input of the marked epoch, `where` pages behind the start of my slots; or, where
  /// that says kElsewhere, my input lies at `elsewhere` in the heaps, counted from the first one's start.
  /// `where_group`: of the leader of a group, in a move of blocks in groups (engine/moves/group_slots.hpp)
  /// and old otherwise: where the slots of all of its group are, or kVarious.
  struct alignas(kSpacingBytes) Filling {
    Epoch mark;
    std::uint64_t elsewhere;
    std::uint32_t where;
    std::uint32_t took;  // nanoseconds to fill it (engine/team/one_way.hpp)
    std::uint32_t where_group;
  };
  static constexpr std::uint32_t kVarious = ~std::uint32_t{0};
  /// `folded`: the slot of that epoch holds the result of my share.
  struct alignas(kSpacingBytes) Steps {
    Filling in_slot[kSlots];
    Epoch folded;
  };
  /// Of the team, where its ranks share CPUs: in the lines of member 0, written by all members
  /// (engine/team/central_counter.hpp). `arrived`: the epoch, and below it how many have arrived in it.
  /// `done`: its mark, once `last`, who arrived last, has shown the result; `result`: a short one.
  static constexpr std::size_t kCentralBytes = kLineBytes / 2;
  struct alignas(kLineBytes) Central {
    Epoch arrived;
    Epoch done;
    Epoch last;
    shm::LockedBell<Atoms> bell;
    std::byte result[kCentralBytes];
  };
  /// `kOffered`: not in boxes. `kAgain`: from where this member has passed data a short while ago. `kShared`:
  /// it can fold some of them itself; of who has been offered them: it is to.
  struct Passing {
    static constexpr std::uint32_t kOffered = 1, kAgain = 2, kShared = 4;
  };
  static constexpr std::uint32_t kElsewhere = ~std::uint32_t{0};
  /// What I pass the other member of a team of two in the marked epoch is in its box
  /// (engine/team/pair_boxes.hpp), or, if `how` says so, where `offered` does; of an answer to that, my input
  /// is there, and there is nothing in my box.
  struct alignas(kSpacingBytes) Delivery {
    Epoch mark;
    std::uint32_t took;  // nanoseconds to fill that box
    std::uint32_t how;   // bits of Passing, of the first delivery of what may be offered
  };
  /// `to_group`: for my group, as what stands in Steps is for everybody.
  struct alignas(kSpacingBytes) Deliveries {
    Delivery in_turn[kSlots];
    std::uint64_t offered;
    Stage to_group;
    BasicPieceLines<Atoms> pieces;  // of what I have offered: the other member writes, too
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
  /// own. `broken`: I have given this team up, and why; `lengths`:
  /// what was sent and expected, if it is that. `wants`: what I would rather have offered than put into boxes
  /// (engine/choice/pass_choices.hpp).
  struct alignas(kSpacingBytes) Finished {
    Epoch epoch;
    Epoch broken;
    Epoch lengths[2];
    Epoch wants;
    Central central;
  };
  struct alignas(kSpacingBytes) Calls {
    BasicCallRecord<Atoms> records[kRecords];
  };

  Inline inline_lines[kInlineLines];
  Steps steps;
  Deliveries deliveries;
  Finished finished;
  Calls calls;
  Crossing crossings[kCrossings];
};
using TeamLines = BasicTeamLines<shm::RealAtoms>;

/// A rank's lines of all teams, by team id.
template <class Atoms>
class BasicLinesById {
 public:
  using Lines = BasicTeamLines<Atoms>;

  BasicLinesById(Lines* first, std::size_t stride_bytes = sizeof(Lines)) noexcept
      : first_(reinterpret_cast<std::byte*>(first)), stride_bytes_(stride_bytes) {}

  Lines& operator[](int id) const noexcept {
    return *reinterpret_cast<Lines*>(first_ + static_cast<std::size_t>(id) * stride_bytes_);
  }

 private:
  std::byte* first_;
  std::size_t stride_bytes_;
};
using LinesById = BasicLinesById<shm::RealAtoms>;

static_assert(sizeof(TeamLines) <= 2 * shm::kPageBytes);  // a third one would be touched by every team
static_assert(sizeof(TeamLines) ==
                  (12 + 4 * kSlots + 2 * TeamLines::kInlineLines + TeamLines::kRecords / 2) * kLineBytes &&
              alignof(TeamLines) == 2 * kLineBytes);
static_assert(std::is_trivially_copyable_v<TeamLines> && std::is_standard_layout_v<TeamLines>);

}  // namespace foldlane::engine
