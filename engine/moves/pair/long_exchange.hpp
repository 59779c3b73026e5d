// Two members exchange long blocks. Each first tells the other how long its block is, and where: so a call of
// lists begins (pair_turns.hpp), of which nobody else knows the lengths. A block in the heaps of the segment
// is copied straight from there. Others go through boxes or, if the first member finds that quicker (decision
// "exchange-way"), are pulled with the kernel's help: one copy instead of two, and lines that cross from core
// to core once, but the kernel takes its time for each page. Not where one of them says that the system does
// not let it, which it knows once it has tried.
//
// A buffer that the other one reads is the caller's again when that one has finished, or has told how pulling
// went: what the kernel refuses after all goes through boxes.
// MODEL: tests/model/buffers/long_moves_model_test.cpp.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "engine/algorithms/boxes_turn.hpp"
#include "engine/algorithms/direct_offer.hpp"
#include "engine/choice/exchange_choices.hpp"
#include "engine/moves/pair/pair_turns.hpp"
#include "engine/moves/wrong_length.hpp"

namespace foldlane::engine {

template <class Team>
class LongOfferTurn : public OfferTurn<Team, LongOffer> {
 public:
  LongOfferTurn(Team& team, std::uint64_t epoch, const LongOffer& offer, std::uint64_t bytes)
      : OfferTurn<Team, LongOffer>(team, epoch, offer), bytes_(bytes) {}
  void give(std::uint64_t) { this->team_.inline_lines().show_value_with(this->epoch_, bytes_, this->offer_); }

 private:
  std::uint64_t bytes_;
};

template <class Team>
class LongExchangeSteps {
 public:
  static constexpr std::uint64_t kNowhere = LongOffer::kNowhere;

  /// `replaces`: what is received takes the place of what is sent.
  LongExchangeSteps(Team& team, const PairMove& move, bool replaces)
      : team_(team),
        move_(move),
        choices_(team.deliveries().exchange_choices()),
        epoch_(team.epochs().begin(1)),
        mine_(own_offer(replaces)) {}

  std::uint64_t epoch() const { return epoch_; }
  int other() const { return 1 - team_.rank(); }
  LongOfferTurn<Team> offer() const { return {team_, epoch_, mine_, move_.out.bytes}; }

  /// Needs shown(other(), epoch()) awaited. False: the other member's lengths are not what is expected, as
  /// one of both says.
  bool read_offer() {
    auto&& lines = team_.inline_lines();
    const std::uint64_t length = lines.number(other(), epoch_);
    if (length != move_.in.bytes) {
      team_.agreement().give_up(wrong_length(other(), team_.rank(), length, move_.in.bytes));
      return false;
    }
    lines.read_beside_number(other(), epoch_, theirs_);
    if (!theirs_.exchanges) return false;
    pulls_ = mine_.pulls && theirs_.pulls && way() == Arm::second;
    if (timed_ != nullptr) since_ = std::chrono::steady_clock::now();
    return true;
  }
  bool gives_straight() const { return mine_.common != kNowhere; }
  bool takes_straight() const { return theirs_.common != kNowhere; }
  /// Both ways: nothing goes straight then.
  bool pulls() const { return pulls_; }

  void take_straight() {
    const std::byte* const from = team_.process().common().at(theirs_.common);
    Team::Transfer::will_read(from, taken_bytes());
    move_.in.copy_from(from, 0, taken_bytes());
  }
  /// False: the system has refused.
  bool pull() {
    const bool could =
        Team::Transfer::pull(theirs_.process, theirs_.address, move_.in.address, taken_bytes());
    if (!could) choices_.may_pull = false;
    return could;
  }
  /// What goes through boxes, which must be known then.
  PairMove in_boxes(bool gives, bool takes) const {
    PairMove rest = move_;
    rest.own = nullptr;
    rest.most_in_boxes = bytes();
    rest.tells_length = false;
    rest.may_be_offered = false;  // what was refused
    rest.gives = gives;
    rest.takes = takes;
    if (!gives) rest.out = {};
    if (!takes) rest.in = {};
    return rest;
  }
  /// To where a cache may or may not hold it.
  void copy_own() const {
    if (move_.own == nullptr) return;
    const UserBuffer& from = move_.own[0];
    const UserBuffer& to = move_.own[1];
    Chooser::Use(to.contiguous() ? team_.deliveries().copied_stores(to.bytes, to.address) : nullptr)
        .perform(static_cast<std::size_t>(from.bytes), [&](Arm arm) { copy_block(to, from, arm); });
  }
  void report() {
    if (timed_ == nullptr || pulls_ != (mine_.way == Arm::second)) return;
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - since_;
    timed_->report(bytes(), took.count());
  }

 private:
  std::size_t taken_bytes() const { return static_cast<std::size_t>(move_.in.bytes); }
  /// Of the longer one.
  std::size_t bytes() const { return static_cast<std::size_t>(std::max(move_.out.bytes, move_.in.bytes)); }
  /// The first member's.
  Arm way() const { return team_.rank() == 0 ? mine_.way : theirs_.way; }

  LongOffer own_offer(bool replaces) {
    LongOffer offer;
    offer.exchanges = true;
    const UserBuffer& out = move_.out;
    const bool is_read_in_place = out.contiguous() && !replaces;
    if (is_read_in_place && team_.process().common().holds(out.address, out.bytes))
      offer.common = team_.process().common().offset_of(out.address);
    if (is_read_in_place) offer.address = reinterpret_cast<std::uint64_t>(out.address);
    offer.pulls = is_read_in_place && offer.common == kNowhere && move_.in.contiguous() && choices_.may_pull;
    if (offer.pulls) offer.process = ::getpid();
    if (offer.pulls && team_.rank() == 0) {
      Chooser& ways = choices_.ways.informed_way(bytes(), move_.in.address);
      const Chooser::Choice choice = ways.next();
      offer.way = choice.arm;
      if (choice.timed) timed_ = &ways;
    }
    return offer;
  }

  Team& team_;
  const PairMove& move_;
  ExchangeChoices& choices_;
  std::uint64_t epoch_;
  Chooser* timed_ = nullptr;  // that wants to know how long it takes
  LongOffer mine_;
  LongOffer theirs_;
  bool pulls_ = false;
  std::chrono::steady_clock::time_point since_{};
};

/// `went` becomes whether the other member could pull.
template <class Team>
Procedure tell_outcome(Team& team, bool could, bool& went) {
  const std::uint64_t epoch = team.epochs().begin(1);
  SteppedTurns<OfferTurn<Team, bool>> turn(team, epoch, could);
  co_await TurnsWait(turn);
  co_await team.waits().shown(1 - team.rank(), epoch, epoch - 1);
  team.inline_lines().read(1 - team.rank(), epoch, went);
  team.epochs().finish(epoch);
}

/// What `move` points to must outlive it.
template <class Team>
Procedure exchange_long(Team& team, const PairMove& move, bool replaces) {
  using Steps = LongExchangeSteps<Team>;
  Steps steps(team, move, replaces);
  SteppedTurns<LongOfferTurn<Team>> offer(steps.offer());
  co_await TurnsWait(offer);
  steps.copy_own();
  co_await team.waits().shown(steps.other(), steps.epoch(), steps.epoch() - 1);
  if (!steps.read_offer()) {
    team.epochs().finish(steps.epoch());
    co_await team.waits().all_finished(steps.epoch());  // until nobody reads what is offered
    team.agreement().give_up_over(steps.other());       // if this one has not
    co_await Surrender();
  }
  bool gives = !steps.gives_straight(), takes = !steps.takes_straight();
  if (!takes) steps.take_straight();
  if (steps.pulls()) takes = !steps.pull();
  team.epochs().finish(steps.epoch());
  if (steps.pulls()) {
    bool went = false;
    co_await tell_outcome(team, !takes, went);
    gives = !went;
  }
  if (gives || takes) {
    if (!team.deliveries().boxes().known()) co_await as_procedure<BoxesTurn<Team>>(team);
    if (team.agreement().broken()) co_await Surrender();
    const PairMove rest = steps.in_boxes(gives, takes);
    SteppedTurns<PairMoveTurns<Team>> turns(team, rest);
    co_await TurnsWait(turns);
  }
  if (steps.gives_straight()) co_await team.waits().all_finished(steps.epoch());
  steps.report();
}

}  // namespace foldlane::engine
