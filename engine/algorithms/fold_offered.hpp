// The fold of what one of two members offers (engine/team/offers.hpp). The other one pulls it to where the
// result goes, which then holds one of the inputs, and folds there. The giver of a long one, which must wait
// until it has been read, folds pieces from the back meanwhile: it pulls the taker's input into a box, folds
// there, and pushes the result to where it goes (far, hot, 1 MiB: alone 124 us, together 52).
//
// PROTOCOL P "pieces" (engine/data/pieces.hpp) of folds      giver                      taker
//   claims = 0; publish delivered(e)            [X1.rel]
//                                                                   await delivered(e)         [X1.acq]
//                                                                   claims 0 -> 1; says where its input is
//                                                                   publish delivered(e)       [X1.rel]
//   await delivered(e) of the taker             [X1.acq]
//   folds pieces from the back                                      folds pieces from the front
//   publish finished(e)                         [X2.rel]
//                                                                   publish finished(e)        [X2.rel]
//                                                                   if the giver has claimed any:
//                                                                   await finished(e)          [X2.acq]
//                                                                   folds what it was refused
//                                                                   publish finished(e + 1)    [X2.rel]
//   await finished(e + 1) of the taker          [X2.acq]
// A giver that is not there, as between the steps of a nonblocking call, claims nothing, and is not awaited.
// MODEL: tests/model/buffers, "Passes".
#pragma once

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/algorithms/pair_fold.hpp"
#include "engine/data/pieces.hpp"
#include "engine/team/team.hpp"

namespace foldlane::engine {

template <class AnyTeam>
class OfferedFold {
 public:
  using Team = AnyTeam;

  /// `given`: what the giver passes.
  OfferedFold(Team& team, const PairFold& call, const Piece& given) noexcept
      : team_(team), call_(call), given_(given), cut_(Offers::cut(bytes_of(given))) {}

  /// Whether both members may fold, as both know. To answer and to await each other takes two handoffs, which
  /// two pieces do not pay for. Where the members share CPUs one of them would wait for the other. A caller's
  /// operation works for its caller alone.
  bool may_be_shared() const noexcept {
    const Reduction& reduction = *call_.reduction;
    return cut_.count() > 2 && reduction.builtin != nullptr && cut_.bytes(0) % reduction.elem_bytes == 0 &&
           team_.process().geometry().shared_cpus == 0;
  }

  // ---- the giver

  void begin_giving() noexcept { offers().own_claims(cut_.count()).begin(); }
  /// Once the taker has answered. `box`: of this member, and empty.
  void share(std::uint64_t epoch, std::byte* box) {
    if (!offers().is_shared(epoch)) return;
    Claims pieces = offers().own_claims(cut_.count());
    bool could = true;
    const auto one = [&](std::uint64_t piece) { return could = push(pieces, piece, box); };
    while (could && pieces.push_one(one)) {
    }
  }

  // ---- the taker

  /// Whether what is offered may lie where the result goes: not where this member's own input is, nor where
  /// the caller has gaps. A caller's operation is called for as much at a time as a box holds.
  bool may_be_straight() const noexcept {
    const Reduction& reduction = *call_.reduction;
    return call_.recv != call_.send && !call_.streaming && reduction.type_map == nullptr &&
           reduction.builtin != nullptr;
  }
  /// Of what may be shared, with a delivery of its own.
  void answer(std::uint64_t epoch) noexcept {
    is_shared_ = may_be_straight() && offers().is_shared(epoch);
    pieces_ = offers().other_claims(cut_.count());
    if (is_shared_)
      pieces_.begin_pulling(1, reinterpret_cast<std::uint64_t>(call_.recv), static_cast<int>(::getpid()));
    offers().answer(epoch, is_shared_, reinterpret_cast<std::uint64_t>(call_.send + start_bytes()));
  }
  /// Pulls all of `offered`, or what the giver leaves, and folds it. False: it could not be read.
  bool fold(std::uint64_t offered) {
    if (!is_shared_) return fold_alone(offered);
    bool could = fold_straight(offered, cut_.offset(0), cut_.bytes(0));
    // Those after a failure are claimed, too: the giver is not to write when this member has left.
    const auto one = [&](std::uint64_t piece) { could = could && fold_straight(offered, piece); };
    for (std::uint64_t piece = 1; piece < cut_.count() && pieces_.pull_one(one);) ++piece;
    return could;
  }
  bool waits_for_giver() const noexcept { return is_shared_ && pieces_.claimed_from_back() > 0; }
  /// Of what the giver had claimed, once it has finished: what the system has refused it. False: this member
  /// could not read it either.
  bool fold_refused(std::uint64_t offered) {
    bool could = true;
    pieces_.pull_one([&](std::uint64_t piece) { could = fold_straight(offered, piece); });
    return could;
  }
  /// What was offered could not be read.
  void give_up() noexcept {
    const bool has_ended = Team::Transfer::has_ended(offers().process());
    team_.agreement().give_up_unread(1 - team_.rank(), has_ended);
  }

 private:
  using Offers = typename Team::Deliveries::Offers;
  using Claims = typename Offers::Claims;
  /// What the taker pulls at once if it folds alone: whole elements of every predefined type.
  static constexpr std::size_t kPulledAtOnce = 512 << 10;

  Offers& offers() const noexcept { return team_.deliveries().offers(); }
  std::size_t bytes_of(const Piece& piece) const noexcept {
    return piece.count * call_.reduction->elem_bytes;
  }
  std::size_t start_bytes() const noexcept { return given_.start * call_.reduction->elem_bytes; }

  /// `mine`, `theirs` in the order of the ranks.
  void combine(std::byte* result, const std::byte* mine, const std::byte* theirs, std::size_t bytes) const {
    std::array<const void*, 2> sources;
    sources[static_cast<std::size_t>(team_.rank())] = mine;
    sources[static_cast<std::size_t>(1 - team_.rank())] = theirs;
    Team::Transfer::will_read(mine, bytes);
    Team::Transfer::will_write(result, bytes);
    call_.reduction->fold(result, sources.data(), 2, bytes / call_.reduction->elem_bytes);
  }

  /// False: the system refuses; then the taker folds it.
  bool push(const Claims& pieces, std::uint64_t piece, std::byte* box) {
    const std::uint64_t theirs = offers().input_of_other();
    const std::size_t room = team_.process().geometry().slot_bytes;
    const std::uint64_t begin = cut_.offset(piece), end = begin + cut_.bytes(piece);
    for (std::uint64_t at = begin; at < end; at += room) {
      const auto bytes = static_cast<std::size_t>(std::min<std::uint64_t>(room, end - at));
      Team::Transfer::will_write(box, bytes);
      if (!Team::Transfer::pull(offers().process(), theirs + at, box, bytes)) return false;
      combine(box, call_.send + start_bytes() + at, box, bytes);
      if (!Team::Transfer::push(pieces.process(), pieces.target() + at, box, bytes)) return false;
    }
    return true;
  }

  bool fold_alone(std::uint64_t offered) {
    for (std::size_t at = 0; at < bytes_of(given_); at += kPulledAtOnce) {
      if (!fold_straight(offered, at, std::min(kPulledAtOnce, bytes_of(given_) - at))) return false;
    }
    return true;
  }
  bool fold_straight(std::uint64_t offered, std::uint64_t piece) {
    return fold_straight(offered, cut_.offset(piece), cut_.bytes(piece));
  }
  bool fold_straight(std::uint64_t offered, std::uint64_t at, std::size_t bytes) {
    std::byte* const result = call_.recv + at;
    Team::Transfer::will_write(result, bytes);
    if (!Team::Transfer::pull(offers().process(), offered + at, result, bytes)) return false;
    combine(result, call_.send + start_bytes() + at, result, bytes);
    return true;
  }

  Team& team_;
  const PairFold& call_;
  Piece given_;
  Pieces cut_;
  Claims pieces_;  // the giver's
  bool is_shared_ = false;
};

}  // namespace foldlane::engine
