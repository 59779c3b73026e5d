// Two members pass each other a block, or one passes the other one. One hop: what is short beside the epoch
// (pair_lines.hpp), what is longer through boxes that change hands (engine/team/pair_boxes.hpp). What is long
// both ways goes another way (long_exchange.hpp).
//
// What is longer need not go through boxes: if the taker wants that (decision "pass-way"), the giver says
// where its block is instead, and leaves once the taker has pulled it. Of blocks that both pass each other
// each may go its own way. The root of a broadcast offers a buffer, too, that the taker can copy out of
// common memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "engine/algorithms/turns.hpp"
#include "engine/choice/chooser.hpp"
#include "engine/choice/pass_choices.hpp"
#include "engine/moves/copy_block.hpp"
#include "engine/moves/pair/pair_lines.hpp"
#include "engine/moves/pair/pair_move.hpp"
#include "engine/moves/pull_block.hpp"
#include "engine/team/team.hpp"

namespace foldlane::engine {

/// What the compiler may know of a move: that not more than one box goes each way.
enum class PairSpan : std::uint8_t { one_box, any };

template <class AnyTeam, PairSpan kSpan = PairSpan::any>
class PairMoveTurns {
 public:
  using Team = AnyTeam;
  static constexpr std::uint64_t kAhead = kSpan == PairSpan::any ? 1 : 0;

  /// Needs boxes that are known, if there is anything for them.
  PairMoveTurns(Team& team, const PairMove& move)
      : team_(team),
        move_(move),
        given_(move.gives ? move.turns(move.out) : 0),
        taken_(move.takes ? move.turns(move.in) : 0),
        may_offer_(has_choice(move.out, given_)),
        may_be_offered_(has_choice(move.in, taken_)),
        giving_(begin_giving()),
        offers_(may_offer_ && wants_to_offer()),
        first_turn_(move.uses_boxes() ? team.deliveries().boxes().begin(count()) : 0),
        first_epoch_(team.epochs().begin(count())),
        stores_(chooser()) {}

  std::uint64_t count() const { return kSpan == PairSpan::any ? std::max(given_, taken_) : 1; }

  bool gives(std::uint64_t turn) const { return turn < (offers_ ? 1 : given_); }
  template <class How>
  Progress await_free(How& how, std::uint64_t turn) {
    if (begins_with_line(turn, move_.out)) {
      const Progress line = how.inline_free(team_, first_epoch_);
      if (line != Progress::done || !move_.is_in_boxes(move_.out)) return line;
    }
    return how.box_free(team_, first_turn_ + turn, first_epoch_ + turn);
  }
  void give(std::uint64_t turn) {
    if (move_.is_in_boxes(move_.out)) deliver(turn);
    if (begins_with_line(turn, move_.out)) show();
    if (move_.is_in_boxes(move_.out) && !offers_ && !move_.takes)
      team_.deliveries().fetch_next_box(first_turn_ + turn, bytes_of(move_.out, turn));
  }

  /// While the other member gives. A block of its own mostly lies beside what comes, and fetches as well.
  void make_ready() {
    if (move_.takes && move_.own == nullptr) move_.in.fetch_for_result(kFetchedOfResult);
    copy_own();
  }

  bool takes(std::uint64_t turn) const { return takes_data(turn) || sees_off(turn); }
  /// Of boxes as in a fold of two (engine/algorithms/fold_pair.hpp).
  template <class How>
  Progress await_given(How& how, std::uint64_t turn) {
    if (How::kBlocks) since_ = Chooser::Use::Since::part_before;
    if (takes_data(turn)) {
      const Progress data = await_data(how, turn);
      if (data != Progress::done || !sees_off(turn)) return data;
    }
    return how.wait(team_.waits().finished_by(other(), first_epoch_));
  }
  /// If the length is another one, the team is given up, and this was the last turn.
  void take(std::uint64_t turn) {
    if (!takes_data(turn)) return;
    if (begins_with_line(turn, move_.in) && !read_line(team_, move_, first_epoch_)) return stop();
    if (move_.is_in_boxes(move_.in)) collect(turn);
  }
  void finish(std::uint64_t turn) {
    if (turn + 1 == count()) stores_.end();
    team_.epochs().finish(first_epoch_ + turn);
  }
  /// After all turns: it was copied from where it lies in common memory.
  bool is_direct() const { return offers_ ? move_.out_in_common != PairMove::kNowhere : takes_direct(); }

 private:
  bool takes_direct() const { return is_offered_ && (*offered_ & kInPrivate) == 0; }
  bool takes_data(std::uint64_t turn) const { return turn < (is_offered_ ? 1 : taken_); }
  /// Waits until the other member has taken what is offered, which of both it does first.
  bool sees_off(std::uint64_t turn) const { return offers_ && turn == (move_.takes ? 1 : 0); }
  template <class How>
  Progress await_data(How& how, std::uint64_t turn) {
    if (!begins_with_line(turn, move_.in))
      return how.delivered(team_, first_epoch_ + turn, first_epoch_ - 1 + (turn < 2 ? 0 : turn - 1));
    return await_line(how, team_, move_, first_epoch_);
  }
  int other() const { return 1 - team_.rank(); }
  bool begins_with_line(std::uint64_t turn, const UserBuffer& block) const {
    return turn == 0 && (move_.tells_length || move_.is_in_line(block));
  }

  void show() {
    if (kSpan == PairSpan::any && move_.tells_length && move_.is_long(move_.out))
      return team_.inline_lines().show_value_with(first_epoch_, move_.out.bytes, LongOffer{});
    show_line(team_, move_, first_epoch_);
  }
  /// The team has been given up.
  void stop() {
    taken_ = 0;
    if (!offers_) given_ = 0;  // else it may not leave yet
  }

  // ---- in boxes or offered

  Passed passed() const { return move_.gives && move_.takes ? Passed::exchanged : Passed::copied; }
  /// Only of such a block the first delivery says how it comes. Who exchanges one has two turns.
  bool has_choice(const UserBuffer& block, std::uint64_t turns) const {
    if constexpr (kSpan != PairSpan::any) return false;
    if (turns < (passed() == Passed::exchanged ? 2 : 1)) return false;
    return move_.may_be_offered && move_.is_in_boxes(block) &&
           team_.deliveries().offers().may_carry(passed(), block.bytes);
  }
  typename Team::Deliveries::Offers::Giving begin_giving() const {
    if (!may_offer_) return {};
    return team_.deliveries().offers().begin_giving(passed(), move_.out.address,
                                                    static_cast<std::size_t>(move_.out.bytes));
  }
  bool wants_to_offer() const {
    return move_.out_in_common != PairMove::kNowhere || (giving_.is_wanted && stays());
  }
  /// As long as the other member may read it.
  bool stays() const { return move_.out.contiguous() && (!move_.takes || move_.in.is_apart_from(move_.out)); }
  /// In common memory, or with this an address.
  static constexpr std::uint64_t kInPrivate = std::uint64_t{1} << 63;
  std::uint64_t own_offer() const {
    if (move_.out_in_common != PairMove::kNowhere) return move_.out_in_common;
    return reinterpret_cast<std::uint64_t>(move_.out.address) | kInPrivate;
  }
  void deliver(std::uint64_t turn) {
    auto&& deliveries = team_.deliveries();
    if (offers_) {
      deliveries.offers().offer(first_epoch_, giving_, own_offer());
    } else {
      if (turn == 0 && may_offer_) deliveries.offers().say_in_boxes(first_epoch_, giving_);
      put(turn);
    }
    if (begins_with_line(turn, move_.out)) return deliveries.note(first_turn_ + turn, first_epoch_ + turn);
    deliveries.publish(first_turn_ + turn, first_epoch_ + turn);
  }
  void collect(std::uint64_t turn) {
    if (!may_be_offered_) return get(turn);
    if (turn == 0) begin_taking();
    is_offered_ ? take_offered() : get(turn);
    if (turn + 1 == taken_ || is_offered_) team_.deliveries().offers().end_taking(pass_);
  }
  void begin_taking() {
    offered_ = team_.deliveries().offers().offered(first_epoch_);
    is_offered_ = offered_.has_value();
    if (!takes_direct())
      pass_ = team_.deliveries().offers().begin_taking(first_epoch_, passed(),
                                                       static_cast<std::size_t>(move_.in.bytes));
  }
  void take_offered() {
    const auto bytes = static_cast<std::size_t>(move_.in.bytes);
    if (takes_direct()) {
      const std::byte* const from = team_.process().common().at(*offered_);
      Team::Transfer::will_read(from, bytes);
      return move_.in.copy_from(from, 0, bytes);
    }
    const int giver = team_.deliveries().offers().process();
    if (!pull_block<Team>(giver, *offered_ & ~kInPrivate, move_.in))
      return team_.agreement().give_up_unread(other(), Team::Transfer::has_ended(giver));
    team_.process().count_pulled_call();
  }

  /// By their lengths, which both know: in boxes or not.
  bool is_both_ways(std::uint64_t turn) const { return turn < std::min(given_, taken_); }
  void put(std::uint64_t turn) {
    auto&& deliveries = team_.deliveries();
    const std::size_t bytes = bytes_of(move_.out, turn);
    std::byte* const box = deliveries.boxes().out(first_turn_ + turn);
    const auto copy = [&] {
      Team::Transfer::will_write(box, bytes);
      Team::Transfer::fetch_to_write(box, bytes);
      deliveries.copies().given.perform(
          static_cast<std::size_t>(move_.out.bytes), bytes,
          [&](kernels::CopyBy by) { move_.out.copy_to(box, turn * move_.chunk_bytes, bytes, by); });
    };
    if (is_both_ways(turn)) {
      copy();
    } else {
      deliveries.one_way().send(move_.out.bytes, deliveries.took(first_epoch_ + turn), copy);
    }
  }
  void get(std::uint64_t turn) {
    auto&& deliveries = team_.deliveries();
    const std::size_t bytes = bytes_of(move_.in, turn);
    std::byte* const box = deliveries.boxes().in(first_turn_ + turn);
    const auto copy = [&] {
      Team::Transfer::will_read(box, bytes);
      stores_.perform(
          bytes,
          [&](Arm stores) { move_.in.copy_from(box, turn * move_.chunk_bytes, bytes, copy_by(stores)); },
          turn > 0 ? since_ : Chooser::Use::Since::its_start);
    };
    if (is_both_ways(turn)) return copy();
    deliveries.one_way().receive(move_.in.bytes, bytes, deliveries.took_by_other(first_epoch_ + turn), copy,
                                 [&] { Team::Transfer::dirty(box, bytes); });
  }
  std::size_t bytes_of(const UserBuffer& block, std::uint64_t turn) const {
    return static_cast<std::size_t>(
        std::min<std::uint64_t>(move_.chunk_bytes, block.bytes - turn * move_.chunk_bytes));
  }
  void copy_own() {
    if (move_.own == nullptr) return;
    const UserBuffer &from = move_.own[0], &to = move_.own[1];
    const auto bytes = static_cast<std::size_t>(from.bytes);
    stores_.perform(bytes, [&](Arm stores) {
      team_.deliveries().copy_own(stores, bytes, [&](kernels::CopyBy by) { copy_block(to, from, by); });
    });
  }
  /// Of blocks that a cache may or may not hold.
  Chooser* chooser() const {
    const UserBuffer* const result = move_.takes ? &move_.in : move_.own != nullptr ? &move_.own[1] : nullptr;
    if (!move_.uses_boxes() || result == nullptr || !result->contiguous()) return nullptr;
    return team_.deliveries().copied_stores(result->bytes, result->address);
  }

  Team& team_;
  const PairMove& move_;
  std::uint64_t given_;
  std::uint64_t taken_;
  bool may_offer_;
  bool may_be_offered_;
  typename Team::Deliveries::Offers::Giving giving_;
  bool offers_;
  bool is_offered_ = false;
  std::uint64_t first_turn_;
  std::uint64_t first_epoch_;
  Chooser::Use stores_;
  Chooser::Use::Since since_ = Chooser::Use::Since::its_start;
  std::optional<std::uint64_t> offered_;  // where
  PassChoices::Use pass_;
};

/// Blocking, from first to last. False if the job or the team has failed.
template <class Team>
bool run_pair_move(Team& team, const PairMove& move) {
  if (!move.uses_boxes()) return run_turns(PairLineTurns<Team>(team, move));
  if (move.is_in_one_box_each()) return run_turns(PairMoveTurns<Team, PairSpan::one_box>(team, move));
  return run_turns(PairMoveTurns<Team>(team, move));
}

}  // namespace foldlane::engine
