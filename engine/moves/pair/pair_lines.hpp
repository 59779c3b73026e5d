// Two members pass each other a short block, or one passes the other one: in the line of the epoch.
//
// Of lists nobody but these two knows the lengths. There each line says how much is to come, and who takes it
// compares that with what it expects, wherever the block itself is: in the line, in boxes or, if it is long,
// in a message that follows (pair_turns.hpp begins with such lines, too).
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/algorithms/turns.hpp"
#include "engine/moves/copy_block.hpp"
#include "engine/moves/pair/pair_move.hpp"
#include "engine/moves/wrong_length.hpp"
#include "engine/team/transfer.hpp"

namespace foldlane::engine {

/// The line of a block that is not long.
template <class Team>
void show_line(Team& team, const PairMove& move, std::uint64_t epoch) {
  const std::size_t bytes =
      move.is_in_line(move.out) ? static_cast<std::size_t>(move.out.bytes) : std::size_t{0};
  const auto pack = [&](std::byte* place) { move.out.copy_to(place, 0, bytes); };
  if (move.tells_length) {
    team.inline_lines().show_with(epoch, move.out.bytes, bytes, pack);
  } else {
    team.inline_lines().show_packed(epoch, bytes, pack);
  }
}

/// A line is shown after all calls before.
template <class Team, class How>
Progress await_line(How& how, Team& team, const PairMove& move, std::uint64_t epoch) {
  if (move.gives) return how.all_shown(team, epoch, epoch - 1);
  return how.shown(team, 1 - team.rank(), epoch);
}

/// False: the other member sends what is not expected, and the team has been given up.
template <class Team>
bool read_line(Team& team, const PairMove& move, std::uint64_t epoch) {
  const int other = 1 - team.rank();
  auto&& lines = team.inline_lines();
  if (!move.gives) lines.fetch_later(other, epoch);
  if (move.tells_length) {
    if (const std::uint64_t length = lines.number(other, epoch); length != move.in.bytes) [[unlikely]] {
      team.agreement().give_up(wrong_length(other, team.rank(), length, move.in.bytes));
      return false;
    }
  }
  if (!move.is_in_line(move.in)) return true;
  const auto bytes = static_cast<std::size_t>(move.in.bytes);
  const std::byte* const payload = move.tells_length ? lines.payload_beside_number(other, epoch, bytes)
                                                     : lines.payload(other, epoch, bytes);
  Team::Transfer::will_read(payload, bytes);
  move.in.copy_from(payload, 0, bytes);
  return true;
}

/// Of a move of which nothing goes through boxes, and nothing is long.
template <class AnyTeam>
class PairLineTurns {
 public:
  using Team = AnyTeam;
  static constexpr std::uint64_t kAhead = 0;

  PairLineTurns(Team& team, const PairMove& move)
      : team_(team), move_(move), epoch_(team.epochs().begin(count())) {}

  static constexpr std::uint64_t count() { return 1; }

  bool gives(std::uint64_t) const { return move_.gives; }
  template <class How>
  Progress await_free(How& how, std::uint64_t) {
    return how.inline_free(team_, epoch_);
  }
  void give(std::uint64_t) { show_line(team_, move_, epoch_); }

  /// While the other member gives. A block of its own mostly lies beside what comes, and fetches as well.
  void make_ready() {
    if (move_.own != nullptr) {
      copy_block(move_.own[1], move_.own[0]);
    } else if (move_.takes) {
      move_.in.fetch_for_result(kFetchedOfResult);
    }
  }

  bool takes(std::uint64_t) const { return move_.takes; }
  template <class How>
  Progress await_given(How& how, std::uint64_t) {
    return await_line(how, team_, move_, epoch_);
  }
  /// If the team is given up, this was the only turn all the same.
  void take(std::uint64_t) { read_line(team_, move_, epoch_); }
  void finish(std::uint64_t) { team_.epochs().finish(epoch_); }

 private:
  Team& team_;
  const PairMove& move_;
  std::uint64_t epoch_;
};

}  // namespace foldlane::engine
