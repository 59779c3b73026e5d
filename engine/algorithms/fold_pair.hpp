// Reductions of two members: each passes the other what of its input the other needs, box by box, and folds
// what it wants itself. One hop. Who wants nothing, as the leaf of a reduce, leaves after its last delivery;
// or it says where its input is, if the root wants that (decision "pass-way"), and leaves once the root has
// pulled and folded it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "engine/algorithms/turns.hpp"
#include "engine/choice/pass_choices.hpp"
#include "engine/data/reduction.hpp"
#include "engine/data/shares.hpp"
#include "engine/team/team.hpp"
#include "engine/team/transfer.hpp"

namespace foldlane::engine {

struct PairFold {
  const std::byte* send;
  std::byte* recv;
  Piece mine;    // of the result: goes to the top of recv
  Piece theirs;  // what the other member wants
  const Reduction* reduction;
  std::size_t box_count;  // elements that a box holds
  bool streaming;         // recv will not be read back soon: bypass the caches; else as measured

  std::uint64_t turns() const {
    const std::size_t most = std::max(mine.count, theirs.count);
    return std::max<std::uint64_t>(1, (most + box_count - 1) / box_count);
  }
};

/// `kOnce`: all goes into one box, as the compiler knows then. Else what turn t+1 delivers is given before
/// turn t is folded.
template <class AnyTeam, bool kOnce>
class PairTurns {
 public:
  using Team = AnyTeam;
  static constexpr std::uint64_t kAhead = kOnce ? 0 : 1;

  /// Needs boxes that are known.
  PairTurns(Team& team, const PairFold& call)
      : team_(team),
        call_(call),
        turns_(kOnce ? 1 : call.turns()),
        is_long_one_way_(is_long_one_way()),
        giving_(begin_giving()),
        offers_(giving_.is_wanted && call.reduction->type_map == nullptr),
        first_turn_(team.deliveries().boxes().begin(turns_)),
        first_epoch_(team.epochs().begin(turns_)),
        stores_(chooser()) {}

  std::uint64_t count() const { return kOnce ? 1 : turns_; }

  bool gives(std::uint64_t turn) const { return offers_ ? turn == 0 : part(call_.theirs, turn).count > 0; }
  template <class How>
  Progress await_free(How& how, std::uint64_t turn) {
    return how.box_free(team_, first_turn_ + turn, first_epoch_ + turn);
  }
  void give(std::uint64_t turn) {
    if (offers_) return offer();
    if (is_long_one_way_ && turn == 0) team_.deliveries().offers().say_in_boxes(first_epoch_, giving_);
    const Piece piece = part(call_.theirs, turn);
    const std::size_t elem_bytes = call_.reduction->elem_bytes;
    const std::size_t bytes = piece.count * elem_bytes;
    auto&& boxes = team_.deliveries().boxes();
    const auto put = [&] {
      Team::Transfer::put_in(boxes.out(first_turn_ + turn), call_.send, call_.reduction->type_map,
                             piece.start * elem_bytes, bytes);
    };
    if (takes(turn)) {
      put();
    } else {
      team_.deliveries().one_way().send(call_.theirs.count * elem_bytes,
                                        team_.deliveries().took(first_epoch_ + turn), put);
    }
    team_.deliveries().publish(first_turn_ + turn, first_epoch_ + turn);
    // The other one sends nothing back that would bring the next box along.
    if (!takes(turn) && bytes <= kFetchedBytes) {
      kernels::prefetch(boxes.out(first_turn_ + turn + 1), bytes);
    }
  }

  /// Who offers awaits in the place of taking that the other member has.
  bool takes(std::uint64_t turn) const {
    return offers_ || is_offered_ ? turn == 0 : part(call_.mine, turn).count > 0;
  }
  /// The other one delivers turn t after it has done turn t-2 and all calls before; this one has done t-1.
  template <class How>
  Progress await_given(How& how, std::uint64_t turn) {
    if (offers_) return how.wait(team_.waits().finished_by(1 - team_.rank(), first_epoch_));
    return how.delivered(team_, first_epoch_ + turn, finished_before(turn));
  }
  void take(std::uint64_t turn) {
    if (offers_) return;
    if (!is_long_one_way_) return take_from_box(turn);
    if (turn == 0) begin_one_way();
    is_offered_ ? fold_offered() : take_from_box(turn);
    if (is_offered_ || part(call_.mine, turn + 1).count == 0) team_.deliveries().offers().end_taking(pass_);
  }

  bool has_failed() const requires(!kOnce) { return has_failed_; }

  void finish(std::uint64_t turn) {
    if (turn + 1 == count()) stores_.end();
    team_.epochs().finish(first_epoch_ + turn);
  }

 private:
  void take_from_box(std::uint64_t turn) {
    const Piece piece = part(call_.mine, turn);
    std::byte* const box = team_.deliveries().boxes().in(first_turn_ + turn);
    if (gives(turn)) return fold_piece(piece, box);
    const std::size_t elem_bytes = call_.reduction->elem_bytes;
    team_.deliveries().one_way().receive(
        call_.mine.count * elem_bytes, piece.count * elem_bytes,
        team_.deliveries().took_by_other(first_epoch_ + turn), [&] { fold_piece(piece, box); },
        [&] { Team::Transfer::dirty(box, piece.count * elem_bytes); });
  }

  // ---- one way: in boxes or offered

  std::size_t bytes_of(const Piece& piece) const { return piece.count * call_.reduction->elem_bytes; }
  /// Only then the first delivery says how it comes.
  bool is_long_one_way() const {
    const std::size_t longer = std::max(call_.mine.count, call_.theirs.count);
    const bool is_one_way = (call_.mine.count == 0) != (call_.theirs.count == 0);
    return !kOnce && is_one_way &&
           team_.deliveries().offers().may_carry(longer * call_.reduction->elem_bytes);
  }
  const std::byte* given() const { return call_.send + call_.theirs.start * call_.reduction->elem_bytes; }
  typename Team::Deliveries::Offers::Giving begin_giving() const {
    if (!is_long_one_way_ || call_.theirs.count == 0) return {};
    return team_.deliveries().offers().begin_giving(Passed::folded, given(), bytes_of(call_.theirs));
  }
  void offer() {
    team_.deliveries().offers().offer(first_epoch_, giving_, reinterpret_cast<std::uint64_t>(given()));
    team_.deliveries().publish(first_turn_, first_epoch_);
  }
  void begin_one_way() {
    offered_ = team_.deliveries().offers().offered(first_epoch_);
    is_offered_ = offered_.has_value();
    pass_ = team_.deliveries().offers().begin_taking(first_epoch_, Passed::folded, bytes_of(call_.mine));
  }
  /// To where the result goes, which then holds one of the inputs; or by way of a box, which is this member's
  /// now: there a fold finds it in its core's cache.
  void fold_offered() {
    const std::size_t elem_bytes = call_.reduction->elem_bytes;
    const bool is_straight = may_hold_an_input(call_.recv);
    const std::size_t most = std::max(call_.box_count, pulled_bytes(is_straight) / elem_bytes);
    std::byte* const box = team_.deliveries().boxes().in(first_turn_);
    for (std::size_t at = 0; at < call_.mine.count; at += most) {
      const Piece piece{call_.mine.start + at, std::min(most, call_.mine.count - at)};
      std::byte* const to = is_straight ? call_.recv + at * elem_bytes : box;
      Team::Transfer::will_write(to, bytes_of(piece));
      has_failed_ = !Team::Transfer::pull(team_.deliveries().offers().process(), *offered_ + at * elem_bytes,
                                          to, bytes_of(piece));
      if (has_failed_)
        return team_.agreement().give_up({Broken::unreadable, {team_.rank(), 1 - team_.rank()}, {}, true});
      is_straight ? fold_in_place(piece, to) : fold_piece(piece, to);
    }
    team_.process().count_pulled_call();
  }
  /// Not where this member's own input is, nor where the caller has gaps.
  bool may_hold_an_input(const std::byte* result) const {
    return result != call_.send && !call_.streaming && call_.reduction->type_map == nullptr;
  }
  std::size_t pulled_bytes(bool is_straight) const {
    return is_straight ? kPulledStraightBytes : std::min(team_.process().geometry().slot_bytes, kPulledBytes);
  }

  std::uint64_t finished_before(std::uint64_t turn) const {
    return first_epoch_ - 1 + (turn < 2 ? 0 : turn - 1);
  }

  Piece part(const Piece& whole, std::uint64_t turn) const {
    const std::size_t offset = std::min<std::size_t>(whole.count, turn * call_.box_count);
    return {whole.start + offset, std::min(call_.box_count, whole.count - offset)};
  }

  /// In the order of the ranks.
  std::array<const void*, 2> inputs(const Piece& piece, const std::byte* theirs) {
    std::array<const void*, 2> sources;
    sources[static_cast<std::size_t>(team_.rank())] = own_input(piece);
    sources[static_cast<std::size_t>(1 - team_.rank())] = theirs;
    return sources;
  }
  void fold_in_place(const Piece& piece, std::byte* result) {
    call_.reduction->fold(result, inputs(piece, result).data(), 2, piece.count);
  }

  void fold_piece(const Piece& piece, std::byte* box) {
    const Reduction& reduction = *call_.reduction;
    auto sources = inputs(piece, box);
    Team::Transfer::will_read(box, piece.count * reduction.elem_bytes);
    const std::size_t bytes = piece.count * reduction.elem_bytes;
    const std::size_t to = piece.start - call_.mine.start;
    std::byte* const result = call_.recv + to * reduction.elem_bytes;
    if (call_.streaming || reduction.type_map != nullptr) {
      return reduction.fold_through(call_.recv, to, sources.data(), 2, piece.count);
    }
    if (is_shifted()) {
      // A fold must not read what it overwrites: by way of the box, which is this member's now.
      Team::Transfer::will_write(box, bytes);
      reduction.fold(box, sources.data(), 2, piece.count);
      return kernels::copy(result, box, bytes);
    }
    stores_.perform(bytes, [&](Arm arm) {
      if (is_streaming(arm)) return reduction.fold_through(call_.recv, to, sources.data(), 2, piece.count);
      reduction.fold(result, sources.data(), 2, piece.count);
    });
  }

  /// Of results that a cache may or may not hold; the time of a caller's operation says nothing about that.
  Chooser* chooser() {
    const std::size_t bytes = call_.mine.count * call_.reduction->elem_bytes;
    if (call_.reduction->builtin == nullptr || call_.streaming || is_shifted()) return nullptr;
    return team_.deliveries().folded_stores(bytes, call_.recv);
  }

  /// In place, a reduce-scatter moves its block to the top of recv.
  bool is_shifted() const { return call_.send == call_.recv && call_.mine.start != 0; }

  const std::byte* own_input(const Piece& piece) {
    const Reduction& reduction = *call_.reduction;
    if (reduction.type_map == nullptr) return call_.send + piece.start * reduction.elem_bytes;
    packed_.resize(piece.count * reduction.elem_bytes);
    reduction.type_map->pack(packed_.data(), call_.send, piece.start * reduction.elem_bytes, packed_.size());
    return packed_.data();
  }

  /// A call of the kernel costs as much as 4 KiB or more; longer pieces would fill half of a small L2, which
  /// holds the pulled bytes twice: as they were the other core's, and in their place.
  static constexpr std::size_t kPulledBytes = 32 << 10;
  static constexpr std::size_t kPulledStraightBytes = 512 << 10;

  Team& team_;
  const PairFold& call_;
  std::uint64_t turns_;
  bool is_long_one_way_;
  typename Team::Deliveries::Offers::Giving giving_;
  bool offers_;
  bool is_offered_ = false;
  bool has_failed_ = false;
  std::uint64_t first_turn_;
  std::uint64_t first_epoch_;
  Chooser::Use stores_;                   // of this member's result
  std::optional<std::uint64_t> offered_;  // where
  PassChoices::Use pass_;
  std::vector<std::byte> packed_;
};

/// Before their first use of boxes the members tell each other where these are, and find out whether they can
/// pull from each other.
template <class AnyTeam>
class BoxesTurn {
 public:
  using Team = AnyTeam;
  using Place = typename Team::Deliveries::Place;
  static constexpr std::uint64_t kAhead = 0;
  static constexpr std::uint64_t count() { return 1; }

  explicit BoxesTurn(Team& team)
      : team_(team), mine_(team.deliveries().take_boxes()), epoch_(team.epochs().begin(1)) {}

  static constexpr bool gives(std::uint64_t) { return true; }
  template <class How>
  Progress await_free(How& how, std::uint64_t) {
    return how.inline_free(team_, epoch_);
  }
  void give(std::uint64_t) { team_.inline_lines().show(epoch_, &mine_, sizeof mine_); }
  static constexpr bool takes(std::uint64_t) { return true; }
  template <class How>
  Progress await_given(How& how, std::uint64_t) {
    return how.all_shown(team_, epoch_, epoch_ - 1);
  }
  void take(std::uint64_t) {
    Place theirs{};
    team_.inline_lines().read(1 - team_.rank(), epoch_, theirs);
    team_.deliveries().set_boxes(mine_, theirs);
    if (team_.deliveries().boxes().known())
      team_.deliveries().offers().learn(theirs.proof,
                                        theirs.proof.template can_be_pulled<typename Team::Transfer>());
  }
  void finish(std::uint64_t) { team_.epochs().finish(epoch_); }

 private:
  Team& team_;
  Place mine_;
  std::uint64_t epoch_;
};

}  // namespace foldlane::engine
