// Reductions of two members: each passes the other what of its input the other needs, box by box, and folds
// what it wants itself. One hop. Who wants nothing, as the leaf of a reduce or the first member of a scan,
// whose result is its input, leaves after its last delivery; or it says where its input is, if the root wants
// that (decision "pass-way"), and leaves once that is folded (fold_offered.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "engine/algorithms/fold_offered.hpp"
#include "engine/algorithms/pair_fold.hpp"
#include "engine/algorithms/turns.hpp"
#include "engine/choice/pass_choices.hpp"
#include "engine/data/reduction.hpp"
#include "engine/data/shares.hpp"
#include "engine/team/team.hpp"
#include "engine/team/transfer.hpp"

namespace foldlane::engine {

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
        is_long_one_way_(is_long_one_way()),
        turns_(kOnce ? 1 : std::max<std::uint64_t>(call.turns(), is_long_one_way_ ? kTurnsOfOffers : 1)),
        giving_(begin_giving()),
        offers_(giving_.is_wanted && call.reduction->type_map == nullptr && !overwrites_input()),
        offered_fold_(team, call, call.theirs.count > 0 ? call.theirs : call.mine),
        first_turn_(team.deliveries().boxes().begin(turns_)),
        first_epoch_(team.epochs().begin(turns_)) {
    if (call.keeps) {
      stores_.emplace(chooser_of_kept());
    } else if (!is_long_one_way_) {
      stores_.emplace(chooser());
    }
  }

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
      team_.deliveries().copies().given.perform(
          call_.theirs.count * elem_bytes, bytes, [&](kernels::CopyBy by) {
            Team::Transfer::put_in(boxes.out(first_turn_ + turn), call_.send, call_.reduction->type_map,
                                   piece.start * elem_bytes, bytes, by);
          });
    };
    if (takes(turn)) {
      put();
    } else {
      team_.deliveries().one_way().send(call_.theirs.count * elem_bytes,
                                        team_.deliveries().took(first_epoch_ + turn), put);
    }
    team_.deliveries().publish(first_turn_ + turn, first_epoch_ + turn);
    if (!takes(turn)) team_.deliveries().fetch_next_box(first_turn_ + turn, bytes);
    if (call_.keeps) keep(piece);
  }

  void make_ready() {
    if (offers_ && call_.keeps) keep(call_.theirs);
    if (call_.reduction->type_map != nullptr) return;
    kernels::fetch_for_result(call_.recv, bytes_of(call_.mine), kFetchedOfResult);
  }

  /// Who offers awaits the other member's answer, if it is to answer, and then that it has finished both
  /// turns. Who has answered awaits that the giver has finished the first, if that one folds some of it.
  bool takes(std::uint64_t turn) const {
    if (offers_) return turn == 0 ? offered_fold_.may_be_shared() : turn == 1;
    if (is_offered_) return turn == 1 && offered_fold_.waits_for_giver();
    return part(call_.mine, turn).count > 0;
  }
  /// The other one delivers turn t after it has done turn t-2 and all calls before; this one has done t-1.
  template <class How>
  Progress await_given(How& how, std::uint64_t turn) {
    if (How::kBlocks && turn == 0) call_.fetch_unread_input();
    if (turn == 1 && offers_) return how.wait(finished_by_other(first_epoch_ + 1));
    if (turn == 1 && is_offered_) return how.wait(finished_by_other(first_epoch_));
    return how.delivered(team_, first_epoch_ + turn, finished_before(turn));
  }
  void take(std::uint64_t turn) {
    if (offers_ && turn == 0)
      return offered_fold_.share(first_epoch_, team_.deliveries().boxes().out(first_turn_));
    if (offers_) return;
    if (!is_long_one_way_) return take_from_box(turn);
    if (turn == 0) begin_one_way();
    if (is_offered_) return take_offered(turn);
    take_from_box(turn);
    if (part(call_.mine, turn + 1).count == 0) team_.deliveries().offers().end_taking(pass_);
  }

  bool has_failed() const requires(!kOnce) { return has_failed_; }

  void finish(std::uint64_t turn) {
    if (turn + 1 == count() && stores_) stores_->end();
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
           team_.deliveries().offers().may_carry(Passed::folded, longer * call_.reduction->elem_bytes);
  }
  const std::byte* given() const { return call_.send + call_.theirs.start * call_.reduction->elem_bytes; }
  typename Team::Deliveries::Offers::Giving begin_giving() const {
    if (!is_long_one_way_ || call_.theirs.count == 0) return {};
    return team_.deliveries().offers().begin_giving(Passed::folded, given(), bytes_of(call_.theirs));
  }
  void offer() {
    const bool could_share = offered_fold_.may_be_shared();
    if (could_share) offered_fold_.begin_giving();
    team_.deliveries().offers().offer(first_epoch_, giving_, reinterpret_cast<std::uint64_t>(given()),
                                      could_share);
    team_.deliveries().publish(first_turn_, first_epoch_);
  }
  void begin_one_way() {
    offered_ = team_.deliveries().offers().offered(first_epoch_);
    is_offered_ = offered_.has_value();
    pass_ = team_.deliveries().offers().begin_taking(first_epoch_, Passed::folded, bytes_of(call_.mine));
    if (!is_offered_ || !offered_fold_.may_be_straight()) stores_.emplace(chooser());
    if (!is_offered_ || !offered_fold_.may_be_shared()) return;
    offered_fold_.answer(first_epoch_);
    team_.deliveries().publish(first_turn_, first_epoch_);
  }
  void take_offered(std::uint64_t turn) {
    could_read_ = could_read_ && (turn == 0 ? fold_offered() : offered_fold_.fold_refused(*offered_));
    if (turn == 0 && offered_fold_.waits_for_giver()) return;
    if (!could_read_) return give_up();
    team_.process().count_pulled_call();
    team_.deliveries().offers().end_taking(pass_);
  }
  bool fold_offered() {
    return offered_fold_.may_be_straight() ? offered_fold_.fold(*offered_) : fold_by_way_of_a_box();
  }
  /// Which is this member's now: there a fold finds it in its core's cache.
  bool fold_by_way_of_a_box() {
    const std::size_t elem_bytes = call_.reduction->elem_bytes;
    const std::size_t room = std::min(team_.process().geometry().slot_bytes, kPulledBytes);
    const std::size_t most = std::max(call_.box_count, room / elem_bytes);
    std::byte* const box = team_.deliveries().boxes().in(first_turn_);
    for (std::size_t at = 0; at < call_.mine.count; at += most) {
      const Piece piece{call_.mine.start + at, std::min(most, call_.mine.count - at)};
      Team::Transfer::will_write(box, bytes_of(piece));
      if (!Team::Transfer::pull(team_.deliveries().offers().process(), *offered_ + at * elem_bytes, box,
                                bytes_of(piece)))
        return false;
      fold_piece(piece, box);
    }
    return true;
  }
  void give_up() {
    has_failed_ = true;
    offered_fold_.give_up();
  }

  typename Team::Await finished_by_other(std::uint64_t epoch) {
    return team_.waits().finished_by(1 - team_.rank(), epoch);
  }
  std::uint64_t finished_before(std::uint64_t turn) const {
    return first_epoch_ - 1 + (turn < 2 ? 0 : turn - 1);
  }

  Piece part(const Piece& whole, std::uint64_t turn) const {
    const std::size_t offset = std::min<std::size_t>(whole.count, turn * call_.box_count);
    return {whole.start + offset, std::min(call_.box_count, whole.count - offset)};
  }

  void fold_piece(const Piece& piece, std::byte* box) {
    const Reduction& reduction = *call_.reduction;
    const void* sources[2];
    sources[team_.rank()] = own_input(piece);
    sources[1 - team_.rank()] = box;
    Team::Transfer::will_read(box, piece.count * reduction.elem_bytes);
    const std::size_t bytes = piece.count * reduction.elem_bytes;
    const std::size_t to = piece.start - call_.mine.start;
    std::byte* const result = call_.recv + to * reduction.elem_bytes;
    if (call_.streaming || reduction.type_map != nullptr) {
      return reduction.fold_through(call_.recv, to, sources, 2, piece.count);
    }
    if (is_shifted()) {
      // A fold must not read what it overwrites: by way of the box, which is this member's now.
      Team::Transfer::will_write(box, bytes);
      reduction.fold(box, sources, 2, piece.count);
      return kernels::copy(result, box, bytes);
    }
    stores_->perform(bytes, [&](Arm arm) {
      if (is_streaming(arm)) return reduction.fold_through(call_.recv, to, sources, 2, piece.count);
      reduction.fold(result, sources, 2, piece.count);
    });
  }

  // ---- what the first member of a scan gives is its result. Behind the delivery, which the other one awaits

  /// A copy of elements with padding clears that.
  bool overwrites_input() const {
    return call_.keeps && call_.send == call_.recv && call_.reduction->has_padding;
  }
  void keep(const Piece& piece) {
    const Reduction& reduction = *call_.reduction;
    if (call_.send == call_.recv && !overwrites_input()) return;
    const std::byte* const from = own_input(piece);
    if (reduction.type_map != nullptr || reduction.has_padding) {
      const void* source = from;
      return reduction.fold_through(call_.recv, piece.start, &source, 1, piece.count);
    }
    std::byte* const to = call_.recv + piece.start * reduction.elem_bytes;
    Team::Transfer::will_read(from, bytes_of(piece));
    Team::Transfer::will_write(to, bytes_of(piece));
    stores_->perform(bytes_of(piece), [&](Arm arm) {
      if (call_.streaming || is_streaming(arm)) return kernels::copy_streaming(to, from, bytes_of(piece));
      kernels::copy(to, from, bytes_of(piece));
    });
  }
  Chooser* chooser_of_kept() {
    if (call_.reduction->type_map != nullptr || call_.streaming) return nullptr;
    return team_.deliveries().copied_stores(bytes_of(call_.theirs), call_.recv);
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

  /// A call of the kernel costs as much as 4 KiB or more; longer pieces would fill half of a small L2.
  static constexpr std::size_t kPulledBytes = 32 << 10;
  /// The answer, and who has finished.
  static constexpr std::uint64_t kTurnsOfOffers = 2;

  Team& team_;
  const PairFold& call_;
  bool is_long_one_way_;
  std::uint64_t turns_;
  typename Team::Deliveries::Offers::Giving giving_;
  bool offers_;
  OfferedFold<Team> offered_fold_;
  bool is_offered_ = false;
  bool could_read_ = true;
  bool has_failed_ = false;
  std::uint64_t first_turn_;
  std::uint64_t first_epoch_;
  std::optional<Chooser::Use> stores_;    // of this member's result; none where it is pulled to
  std::optional<std::uint64_t> offered_;  // where
  PassChoices::Use pass_;
  std::vector<std::byte> packed_;
};

}  // namespace foldlane::engine
