// Two members exchange long blocks. A block in the heaps of the segment is copied straight from there. Others
// go through boxes or, if the first member finds that quicker (decision "exchange-way"), are pulled with the
// kernel's help: one copy instead of two, and lines that cross from core to core once, but the kernel takes
// its time for each page. Not where one of them says that the system does not let it, which it knows once it
// has tried.
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
#include "engine/moves/pair/long_turns.hpp"
#include "engine/moves/pair/pair_turns.hpp"

namespace foldlane::engine {

template <class AnyTeam>
class LongExchangeTurns : public LongTurns<AnyTeam> {
 public:
  using Team = AnyTeam;
  using LongTurns<Team>::kNowhere;

  /// `replaces`: what is received takes the place of what is sent.
  LongExchangeTurns(Team& team, const PairMove& move, bool replaces)
      : LongTurns<Team>(team, move), choices_(team.deliveries().exchange_choices()) {
    offer(replaces);
  }

  static bool gives(std::uint64_t turn) { return turn == 0; }
  void make_ready() { this->copy_own(); }

  /// Who refuses a length stays as well, until nobody reads what it has offered.
  bool takes(std::uint64_t turn) const { return turn == 0 || gives_straight() || refuses_; }
  template <class How>
  Progress await_given(How& how, std::uint64_t turn) {
    return this->await_other(how, turn, true);
  }
  void take(std::uint64_t turn) {
    if (turn > 0) return;
    refuses_ = !this->read_offer() || !theirs_.awaits;
    if (refuses_) return;
    pulls_ = mine_.pulls && theirs_.pulls && way() == Arm::second;
    if (timed_ != nullptr) since_ = std::chrono::steady_clock::now();
    if (takes_straight()) {
      this->copy_from_there();
    } else if (pulls_) {
      pull();
    }
  }

  void finish(std::uint64_t turn) { this->finish_turn(turn, is_over()); }

  // ---- after the turns

  bool is_over() const { return !refuses_ && gives_straight() && takes_straight(); }
  bool refuses() const { return refuses_; }
  bool gives_straight() const { return mine_.common != kNowhere; }
  bool takes_straight() const { return theirs_.common != kNowhere; }
  /// Both ways: nothing goes straight then.
  bool pulls() const { return pulls_; }
  /// False: the system has refused.
  bool has_pulled() const { return has_pulled_; }
  /// What goes through boxes, which must be known then.
  PairMove in_boxes(bool gives, bool takes) const {
    PairMove rest = move_;
    rest.own = nullptr;
    rest.most_in_boxes = bytes();
    rest.tells_length = false;
    rest.chunk_bytes = chunk_bytes();
    rest.may_be_offered = false;  // what was refused
    rest.gives = gives;
    rest.takes = takes;
    if (!gives) rest.out = {};
    if (!takes) rest.in = {};
    return rest;
  }
  void report() {
    if (timed_ == nullptr || pulls_ != (mine_.way == Arm::second)) return;
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - since_;
    timed_->report(bytes(), took.count());
  }

 private:
  using LongTurns<Team>::team_;
  using LongTurns<Team>::move_;
  using LongTurns<Team>::mine_;
  using LongTurns<Team>::theirs_;

  void pull() {
    has_pulled_ = Team::Transfer::pull(theirs_.process, theirs_.address, move_.in.address, taken_bytes());
    if (!has_pulled_) choices_.may_pull = false;
  }
  std::size_t taken_bytes() const { return static_cast<std::size_t>(move_.in.bytes); }
  /// Of the longer one.
  std::size_t bytes() const { return static_cast<std::size_t>(std::max(move_.out.bytes, move_.in.bytes)); }
  /// Of lists no plan knows it, because no member knows the lengths before.
  std::size_t chunk_bytes() const {
    const Geometry& geometry = team_.process().geometry();
    if (!move_.tells_length || geometry.shared_cpus > 0) return move_.chunk_bytes;
    return std::min<std::size_t>(geometry.slot_bytes, piece_of(bytes(), 2 * kSlots));
  }
  /// The first member's.
  Arm way() const { return team_.rank() == 0 ? mine_.way : theirs_.way; }

  void offer(bool replaces) {
    const UserBuffer& out = move_.out;
    mine_.awaits = true;
    if (replaces || !out.contiguous()) return;
    if (this->holds_in_common(out)) mine_.common = this->place_in_common(out);
    mine_.address = reinterpret_cast<std::uint64_t>(out.address);
    mine_.pulls = !gives_straight() && move_.in.contiguous() && choices_.may_pull;
    if (mine_.pulls) mine_.process = ::getpid();
    if (mine_.pulls && team_.rank() == 0) {
      Chooser& ways = choices_.ways.informed_way(bytes(), move_.in.address);
      const Chooser::Choice choice = ways.next();
      mine_.way = choice.arm;
      if (choice.timed) timed_ = &ways;
    }
  }

  ExchangeChoices& choices_;
  Chooser* timed_ = nullptr;  // that wants to know how long it takes
  bool refuses_ = false;
  bool pulls_ = false;
  bool has_pulled_ = false;
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

/// What an exchange leaves over: what goes neither straight nor could be pulled.
template <class Team>
Procedure finish_exchange(Team& team, LongExchangeTurns<Team>& exchange) {
  if (exchange.refuses()) {
    team.agreement().give_up_over(1 - team.rank());  // if this one has not
    co_await Surrender();
  }
  bool gives = !exchange.gives_straight(), takes = !exchange.takes_straight();
  if (exchange.pulls()) {
    takes = !exchange.has_pulled();
    bool went = false;
    co_await tell_outcome(team, !takes, went);
    gives = !went;
  }
  if (gives || takes) {
    if (!team.deliveries().boxes().known()) co_await as_procedure<BoxesTurn<Team>>(team);
    if (team.agreement().broken()) co_await Surrender();
    const PairMove rest = exchange.in_boxes(gives, takes);
    SteppedTurns<PairMoveTurns<Team>> turns(team, rest);
    co_await TurnsWait(turns);
  }
  exchange.report();
}

/// What `move` points to must outlive it.
template <class Team>
Procedure exchange_long(Team& team, const PairMove& move, bool replaces) {
  SteppedTurns<LongExchangeTurns<Team>> turns(team, move, replaces);
  co_await TurnsWait(turns);
  if (!turns.turns().is_over()) co_await finish_exchange(team, turns.turns());
}

/// The same, blocking, and without a coroutine if all of it goes straight.
template <class Team>
bool run_long_exchange(Team& team, const PairMove& move, bool replaces) {
  LongExchangeTurns<Team> turns(team, move, replaces);
  return run_turns(turns) && (turns.is_over() || finish_exchange(team, turns).run());
}

}  // namespace foldlane::engine
