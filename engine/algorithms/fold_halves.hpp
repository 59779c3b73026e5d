// A large allreduce of two members by halves: each passes the other one that one's half of its input, box by
// box, and folds its own half into the very boxes that it has got, which go back with the result. Two hops,
// and a quarter less to read and write than if both folded all (fold_pair.hpp). In a turn a member puts the
// next piece into a box, folds one, and takes a result out of another, by turns of a few lines: of these the
// first only reads memory and the last only writes it, and a core overlaps them only if they take turns (64
// MiB: 1.16 instead of 1.28 x the time of a copy, perf/NOTES.md).
//
// PROTOCOL X "exchange", with boxes that come back full (engine/team/pair_boxes.hpp has the rest of it)
//   member a                                                              member b
//   put piece t+1 into box(t+1)                                           the same, in boxes of its own
//   publish delivered(t+1)       [X1.rel]
//                                                                         await delivered(t+1) of a [X1.acq]
//                                                                         fold in a's box(t+1)
//                                                                         publish delivered(t+2)    [X3.rel]
//   await delivered(t+2) of b    [X3.acq]
//   take the result of t+1 out of box(t+1), which is free again
// So one word says two things: here is a piece, and of the one before the result. Nobody awaits that a box is
// free: whoever puts something into one has itself emptied it.
// WITHOUT [X1]: b folds what a has not put. WITHOUT [X3]: a takes what b has not folded, and overwrites what
// b still reads. MODEL: tests/model, "handoff", kind halves_all.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/algorithms/turns.hpp"
#include "engine/data/reduction.hpp"
#include "engine/data/shares.hpp"
#include "engine/team/team.hpp"
#include "engine/team/transfer.hpp"

namespace foldlane::engine {

/// By a predefined operation, of elements without a type map.
struct HalvesFold {
  const std::byte* send;
  std::byte* recv;
  Piece mine;              // of the vector: what this member folds
  Piece theirs;            // what the other one does
  std::size_t recv_start;  // the element at the top of recv
  bool to_all;             // both want all of the result; else what they fold
  const Reduction* reduction;
  std::size_t box_count;  // elements that a box holds

  std::uint64_t pieces() const {
    const std::size_t most = std::max(mine.count, theirs.count);
    return std::max<std::uint64_t>(1, (most + box_count - 1) / box_count);
  }
};

template <class AnyTeam>
class HalvesTurns {
 public:
  using Team = AnyTeam;
  static constexpr std::uint64_t kAhead = 1;

  /// Needs boxes that are known.
  HalvesTurns(Team& team, const HalvesFold& call)
      : team_(team),
        call_(call),
        elem_bytes_(call.reduction->elem_bytes),
        turns_(call.pieces() + 1),
        first_turn_(team.deliveries().boxes().begin(0)),
        first_epoch_(team.epochs().begin(turns_)) {}

  /// One more than there are pieces: in the last one the last result comes back.
  std::uint64_t count() const { return turns_; }

  static constexpr bool gives(std::uint64_t) { return true; }
  template <class How>
  Progress await_free(How& how, std::uint64_t turn) {
    return how.box_free(team_, box_turn(turn), first_epoch_ + turn);
  }
  /// Later pieces are put while those before are folded.
  void give(std::uint64_t turn) {
    if (turn > 0) return;
    const Piece first = part(call_.theirs, 0);
    Team::Transfer::put_in(out(0), input(first), nullptr, 0, bytes_of(first.count));
    publish(0);
  }

  static constexpr bool takes(std::uint64_t) { return true; }
  /// The other one delivers turn t after it has done turn t-2 and all calls before; this one has done t-1.
  template <class How>
  Progress await_given(How& how, std::uint64_t turn) {
    return how.delivered(team_, first_epoch_ + turn, first_epoch_ - 1 + (turn < 2 ? 0 : turn - 1));
  }
  void take(std::uint64_t turn) {
    const Piece put = part(call_.theirs, turn + 1), fold = part(call_.mine, turn);
    const Piece taken = turn > 0 && call_.to_all ? part(call_.theirs, turn - 1) : Piece{call_.recv_start, 0};
    std::byte *const next_box = out(turn + 1), *const box = in(turn), *const back = out(turn - 1);
    Team::Transfer::will_write(next_box, bytes_of(put.count));
    Team::Transfer::will_read(box, bytes_of(fold.count));
    Team::Transfer::will_write(box, bytes_of(fold.count));
    Team::Transfer::will_read(back, bytes_of(taken.count));
    const std::size_t most = std::max({put.count, fold.count, taken.count});
    std::size_t some = first_strip();
    for (std::size_t done = 0; done < most; done += some, some = strip()) {
      const auto next = [&](std::size_t count) { return done < count ? std::min(some, count - done) : 0; };
      const std::size_t in_box = bytes_of(done);
      kernels::copy_strip(next_box + in_box, input(put) + in_box, bytes_of(next(put.count)));
      fold_strip(box + in_box, input(fold) + in_box, result(fold) + in_box, next(fold.count));
      kernels::copy_streaming_on(result(taken) + in_box, back + in_box, bytes_of(next(taken.count)));
    }
    kernels::end_streaming();
    if (turn + 1 < turns_) publish(turn + 1);
  }

  void finish(std::uint64_t turn) { team_.epochs().finish(first_epoch_ + turn); }

 private:
  static constexpr std::size_t kStripBytes = 256;

  std::uint64_t box_turn(std::uint64_t turn) const { return first_turn_ + turn % kSlots; }
  std::byte* out(std::uint64_t turn) const { return team_.deliveries().boxes().out(box_turn(turn)); }
  std::byte* in(std::uint64_t turn) const { return team_.deliveries().boxes().in(box_turn(turn)); }
  void publish(std::uint64_t turn) {
    team_.deliveries().publish(box_turn(turn), first_epoch_ + turn);  // [X1.rel] [X3.rel]
  }

  std::size_t bytes_of(std::size_t count) const { return count * elem_bytes_; }
  const std::byte* input(const Piece& piece) const { return call_.send + bytes_of(piece.start); }
  std::byte* result(const Piece& piece) const {
    return call_.recv + bytes_of(piece.start - call_.recv_start);
  }
  Piece part(const Piece& half, std::uint64_t turn) const {
    const std::size_t offset = std::min<std::size_t>(half.count, turn * call_.box_count);
    return {half.start + offset, std::min(call_.box_count, half.count - offset)};
  }
  std::size_t strip() const { return kStripBytes / elem_bytes_; }
  /// Halves and boxes end with a line, so all pieces of the result begin like recv.
  std::size_t first_strip() const { return elements_to_line(call_.recv, elem_bytes_, strip()); }

  void fold_strip(std::byte* box, const std::byte* own, std::byte* to, std::size_t count) {
    if (count == 0) return;
    const void* sources[2];
    sources[team_.rank()] = own;
    sources[1 - team_.rank()] = box;
    call_.reduction->fold(box, sources, 2, count);
    kernels::copy_streaming_on(to, box, bytes_of(count));
  }

  Team& team_;
  const HalvesFold& call_;
  std::size_t elem_bytes_;
  std::uint64_t turns_;
  std::uint64_t first_turn_;  // of boxes: they all come back
  std::uint64_t first_epoch_;
};

}  // namespace foldlane::engine
