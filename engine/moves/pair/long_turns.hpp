// What long blocks of two members have in common, whether they go both ways (long_exchange.hpp) or one way
// (long_pass.hpp). A member's line tells the other one how long a block is, and where: so a call of lists
// begins (pair_lines.hpp), of which nobody else knows the lengths. Who copies from or to where the other one
// has told finishes its epoch then, which the other one awaits: until then its buffer is not the caller's
// again, unless the job or the team fails meanwhile.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/algorithms/turns.hpp"
#include "engine/choice/chooser.hpp"
#include "engine/choice/store_choices.hpp"
#include "engine/moves/copy_block.hpp"
#include "engine/moves/pair/pair_move.hpp"
#include "engine/moves/wrong_length.hpp"

namespace foldlane::engine {

template <class AnyTeam>
class LongTurns {
 public:
  using Team = AnyTeam;
  static constexpr std::uint64_t kAhead = 0;
  static constexpr std::uint64_t kNowhere = LongOffer::kNowhere;
  /// Telling and copying; seeing the other one off.
  static constexpr std::uint64_t count() { return 2; }

  template <class How>
  Progress await_free(How& how, std::uint64_t) {
    return how.inline_free(team_, epoch_);
  }
  void give(std::uint64_t) { team_.inline_lines().show_value_with(epoch_, told_bytes(), mine_); }

 protected:
  LongTurns(Team& team, const PairMove& move) : team_(team), move_(move), epoch_(team.epochs().begin(1)) {}

  /// `is_direct`: nothing of the call is left, and all of it went straight.
  void finish_turn(std::uint64_t turn, bool is_direct) {
    if (turn == 0) team_.epochs().finish(epoch_);
    if (turn == 1 && is_direct) team_.process().count_direct_call();
  }
  int other() const { return 1 - team_.rank(); }
  /// A line is shown after all calls before, which says nothing to who shows none itself.
  template <class How>
  Progress await_other(How& how, std::uint64_t turn, bool tells) {
    if (turn > 0) return how.wait(team_.waits().all_finished(epoch_));
    return tells ? how.all_shown(team_, epoch_, epoch_ - 1) : how.shown(team_, other(), epoch_);
  }
  /// Of the other member's line. False: its lengths are not what is expected, and the team is given up.
  bool read_offer() {
    auto&& lines = team_.inline_lines();
    const std::uint64_t length = lines.number(other(), epoch_);
    const std::uint64_t expected = move_.takes ? move_.in.bytes : move_.out.bytes;
    if (length == expected) {
      lines.read_beside_number(other(), epoch_, theirs_);
      return true;
    }
    team_.agreement().give_up(move_.takes ? wrong_length(other(), team_.rank(), length, expected)
                                          : wrong_length(team_.rank(), other(), expected, length));
    return false;
  }
  bool holds_in_common(const UserBuffer& block) const {
    return block.contiguous() && team_.process().common().holds(block.address, block.bytes);
  }
  std::uint64_t place_in_common(const UserBuffer& block) const {
    return team_.process().common().offset_of(block.address);
  }
  /// From where the other member has told, or to there.
  void copy_from_there() const {
    const std::byte* const there = their_place();
    const auto bytes = static_cast<std::size_t>(move_.in.bytes);
    Team::Transfer::will_read(there, bytes);
    move_.in.copy_from(there, 0, bytes);
  }
  void copy_to_there() const {
    std::byte* const there = their_place();
    const auto bytes = static_cast<std::size_t>(move_.out.bytes);
    Team::Transfer::will_write(there, bytes);
    move_.out.copy_to(there, 0, bytes);
  }
  /// To where a cache may or may not hold it, as timed in teams that have boxes.
  void copy_own() const {
    if (move_.own == nullptr) return;
    const UserBuffer& from = move_.own[0];
    const UserBuffer& to = move_.own[1];
    const auto bytes = static_cast<std::size_t>(from.bytes);
    Chooser::Use(to.contiguous() ? team_.deliveries().copied_stores(to.bytes, to.address) : nullptr)
        .perform(bytes, [&](Arm stores) {
          team_.deliveries().copy_own(stores, bytes, [&](kernels::CopyBy by) { copy_block(to, from, by); });
        });
  }

  Team& team_;
  const PairMove& move_;
  std::uint64_t epoch_;
  LongOffer mine_;
  LongOffer theirs_;

 private:
  std::byte* their_place() const { return team_.process().common().at(theirs_.common); }
  /// Of its block, or of the one that it expects if it has none.
  std::uint64_t told_bytes() const { return move_.gives ? move_.out.bytes : move_.in.bytes; }
};

}  // namespace foldlane::engine
