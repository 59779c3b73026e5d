// One of two members passes the other one a long block. The root of such a call has a second one to copy, its
// own. So if its buffer lies in the heaps of the segment, the other member, the leaf, copies the first
// meanwhile: out of the root's buffer (scatter), or into it (gather). Anything else is a message, which knows
// more ways; a root in place is one of those, because it has the time to help.
//
// The leaf of a gather that sends a message may be gone before its root comes. So if the root had no place
// the last time, it does not ask for one, but sends (Question).
//
// MODEL: tests/model/buffers/long_moves_model_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/moves/pair/long_turns.hpp"

namespace foldlane::engine {

template <class AnyTeam>
class LongPassTurns : public LongTurns<AnyTeam> {
 public:
  using Team = AnyTeam;
  using LongTurns<Team>::kNowhere;

  LongPassTurns(Team& team, const PairMove& move) : LongTurns<Team>(team, move) {
    if (move.is_root) offer(move.gives ? move.out : move.in);
    mine_.awaits = move.is_root ? needs_to_know() : move.takes || where().is_due();
  }

  bool gives(std::uint64_t turn) const { return turn == 0 && tells(); }
  /// Beside a message it is copied behind what the other member waits for.
  void make_ready() {
    if (copies_own()) this->copy_own();
  }

  bool takes(std::uint64_t turn) const { return turn == 0 ? mine_.awaits : sees_off(); }
  template <class How>
  Progress await_given(How& how, std::uint64_t turn) {
    return this->await_other(how, turn, tells());
  }
  void take(std::uint64_t turn) {
    if (turn > 0) return;
    is_agreed_ = this->read_offer();
    if (!move_.is_root && move_.gives) where().note_answer(is_straight());
    if (is_agreed_ && !move_.is_root && is_straight())
      move_.takes ? this->copy_from_there() : this->copy_to_there();
  }

  void finish(std::uint64_t turn) { this->finish_turn(turn, is_straight()); }

  // ---- after the turns

  /// Else it is to be a message.
  bool is_straight() const { return move_.is_root ? sees_off() : theirs_.common != kNowhere; }
  /// Else it is to be copied beside the message.
  bool copies_own() const { return mine_.common != kNowhere; }

 private:
  using LongTurns<Team>::team_;
  using LongTurns<Team>::move_;
  using LongTurns<Team>::mine_;
  using LongTurns<Team>::theirs_;

  Question& where() const { return team_.deliveries().exchange_choices().where; }
  /// The leaf of a scatter has nothing to say.
  bool tells() const { return move_.gives || move_.is_root; }
  /// The root, once it knows that the leaf copies.
  bool sees_off() const {
    return move_.is_root && mine_.common != kNowhere && (move_.gives || (is_agreed_ && theirs_.awaits));
  }
  /// Of a root that takes: whether the leaf copies, or how long its block is. A message tells that itself,
  /// but of lists lines do.
  bool needs_to_know() const { return move_.takes && (move_.tells_length || mine_.common != kNowhere); }
  void offer(const UserBuffer& block) {
    if (move_.own != nullptr && this->holds_in_common(block)) mine_.common = this->place_in_common(block);
  }

  bool is_agreed_ = false;
};

}  // namespace foldlane::engine
