// The boxes of a team of two: slots that change hands. What one member has put into a box the other one takes
// out, and its next delivery goes into that very box, whose lines its core has just fetched. Writing to lines
// that a peer has read costs five times as much as reading them (near: 64 KiB in 9.5 us, in boxes 3.4; far:
// 34 and 7), and no store mode, size or prefetch changes that (perf/NOTES.md).
//
// PROTOCOL X "exchange"          member a                                  member b
//   deliver turn t into box(t)                                            the same, into the other box of t
//   publish delivered(e)         [X1.rel]
//                                                                         await delivered(e) of a [X1.acq]
//                                                                         take from a's box(t)
//                                                                         publish finished(e)    [X2.rel]
//                                                                         turn t+4: deliver into that box
//   turn t+8, if nothing came:
//   await finished(e) of b       [X2.acq]
//   deliver into that box
// What is longer may be offered instead (offers.hpp): `delivered` then says where it is, nothing is
// put into boxes, and a awaits finished(e) of b [X2.acq] before it leaves, as b pulls or copies it out of a's
// buffer; of what both fold b delivers an answer, and a has its box for itself (algorithms/fold_offered.hpp).
// Where a line of that epoch tells of a box (moves/pair/pair_turns.hpp) it stands for `delivered`, as [H2].
// Where data flows both ways nobody awaits that a box is free: whoever writes into one has itself emptied it,
// kSlots turns before, or is the first to use it. Where it flows one way boxes go back empty (one_way.hpp),
// in calls by halves with the result (algorithms/fold_halves.hpp, [X3]). WITHOUT [X1]: b takes what a has not
// put. WITHOUT [X2]: a overwrites what b has not taken. MODEL: tests/model, "handoff", kinds pair.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/team/team_lines.hpp"

namespace foldlane::engine {

/// What goes one way goes in no shorter pieces, if slots are not shorter: a block of so many bytes is one.
inline constexpr std::uint64_t kLeastPiece = 8 << 10;
/// Of so many bytes: small pieces, so that the reader reads while the writer writes, but a hundredth of flags
/// (16 KiB in pieces of 8 KiB near 1.0 us, far 2.9; 256 KiB in those of 4, 8, 16, 32 KiB
/// near 13.6, 14.1, 14.5, 15.1, far 36, 36, 29, 27 us). As long as there are `places` for all of them the
/// writer leaves without waiting for the reader.
inline constexpr std::uint64_t piece_of(std::uint64_t bytes, std::uint64_t places) noexcept {
  constexpr std::uint64_t kMost = 16 << 10;
  const std::uint64_t wished = std::clamp((bytes + places - 1) / places, kLeastPiece, kMost);
  return (wished + shm::kLineBytes - 1) / shm::kLineBytes * shm::kLineBytes;
}

class PairBoxes {
 public:
  /// Before the members have told each other where their boxes are there are none.
  bool known() const noexcept { return peer_ != nullptr; }
  void set(std::byte* own, std::byte* peer, std::size_t box_bytes) noexcept {
    own_ = own;
    peer_ = peer;
    box_bytes_ = box_bytes;
  }

  /// The members make the same calls, so their turns agree.
  std::uint64_t begin(std::uint64_t turns) noexcept {
    const std::uint64_t first = next_turn_;
    next_turn_ += turns;
    return first;
  }

  /// The epoch of this member's last delivery into its box of `turn`, for [X2]; 0: there was none.
  std::uint64_t last_delivery(std::uint64_t turn) const noexcept { return delivered_[turn % kBoxes]; }
  void note_delivery(std::uint64_t turn, std::uint64_t epoch) noexcept { delivered_[turn % kBoxes] = epoch; }

  /// Where this member delivers in a turn.
  std::byte* out(std::uint64_t turn) const noexcept { return at(is_lent(turn) ? peer_ : own_, turn); }
  /// Where the other one does.
  std::byte* in(std::uint64_t turn) const noexcept { return at(is_lent(turn) ? own_ : peer_, turn); }

 private:
  static constexpr std::size_t kBoxes = 2 * kSlots;

  /// Every other time around, the boxes are with the other member.
  static bool is_lent(std::uint64_t turn) noexcept { return turn / kSlots % 2 != 0; }
  std::byte* at(std::byte* boxes, std::uint64_t turn) const noexcept {
    return boxes + turn % kSlots * box_bytes_;
  }

  std::byte* own_ = nullptr;
  std::byte* peer_ = nullptr;
  std::size_t box_bytes_ = 0;
  std::uint64_t next_turn_ = 0;
  std::array<std::uint64_t, kBoxes> delivered_{};
};

}  // namespace foldlane::engine
