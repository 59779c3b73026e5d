// Calls that only move data, of two members with dense buffers, from their arguments straight to their turns:
// those in which the arguments would take longer than the way. What is not as usual, mistakes included, goes
// the way of all calls (Movement), to the same turns.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "engine/collectives/collective.hpp"
#include "engine/collectives/move_steps.hpp"
#include "engine/moves/roles.hpp"
#include "engine/team/team.hpp"

namespace foldlane::engine {

/// A member's part in such a call, as far as everything is as usual. It points into itself.
class PairArguments {
 public:
  /// `side.find(i, block)` says whether block i of the arguments is as usual, and where it is. `root` is a
  /// member; of calls without one any.
  template <class Side>
  PairArguments(Call call, Team& team, Side&& sends, Side&& receives, int root);
  PairArguments(const PairArguments&) = delete;
  PairArguments& operator=(const PairArguments&) = delete;

  bool are_usual() const noexcept { return is_usual_; }
  CallInfo info() const noexcept {
    return {.call = call_, .root = static_cast<std::uint16_t>(root_), .count = block_bytes()};
  }
  /// Points to these arguments.
  const PairMove& move() const noexcept { return move_; }
  /// The same, for an operation.
  Collective describe() const noexcept {
    Collective described{.call = call_, .count = block_bytes(), .root = root_};
    described.pair = &move_;
    return described;
  }

  /// Of this member's input.
  std::uint64_t bytes() const noexcept {
    const bool gives_one = !gives_block_for_each(call_);
    return gives_one ? std::max(move_.out.bytes, own_[0].bytes) : move_.out.bytes + own_[0].bytes;
  }

 private:
  void require(bool usual) noexcept { is_usual_ = is_usual_ && usual; }
  std::uint64_t block_bytes() const noexcept {
    if (move_.tells_length) return 0;
    return move_.gives ? move_.out.bytes : move_.in.bytes;
  }
  /// `keeps`: it gives itself a block, too.
  template <class Side>
  void find_listed(Side& sends, Side& receives, int rank, bool keeps);
  template <class Side>
  void find_equal(Side& sends, Side& receives, int rank, bool keeps);

  Call call_;
  int root_;
  bool is_usual_ = true;
  PairMove move_;
  std::array<UserBuffer, 2> own_{};
};

template <class Side>
PairArguments::PairArguments(Call call, Team& team, Side&& sends, Side&& receives, int root)
    : call_(call), root_(root) {
  const int rank = team.rank();
  const bool is_root = rank == root;
  move_.gives = gives_in(call, is_root);
  move_.takes = takes_in(call, is_root);
  move_.tells_length = !moves_equal_blocks(call);
  const bool keeps = (move_.gives && move_.takes) || is_root;
  if (move_.tells_length) {
    find_listed(sends, receives, rank, keeps);
  } else {
    find_equal(sends, receives, rank, keeps);
  }
  if (own_[0].bytes > 0) move_.own = own_.data();
  is_usual_ = is_usual_ && limit_at_once(team, call, block_bytes(), move_);
}

template <class Side>
void PairArguments::find_listed(Side& sends, Side& receives, int rank, bool keeps) {
  const auto find = [&](Side& side, bool has_each, int member, UserBuffer& block) {
    require(is_usual_ && side.find(has_each ? member : 0, block));
  };
  const bool each_given = gives_block_for_each(call_), each_taken = takes_block_of_each(call_);
  auto& [own_out, own_in] = own_;
  if (move_.gives) find(sends, each_given, 1 - rank, move_.out);
  if (move_.takes) find(receives, each_taken, 1 - rank, move_.in);
  if (keeps) {
    find(sends, each_given, rank, own_out);
    find(receives, each_taken, rank, own_in);
  }
  require(own_out.bytes == own_in.bytes);
  require(move_.out.is_apart_from(move_.in) && move_.out.is_apart_from(own_in) &&
          own_out.is_apart_from(move_.in) && own_out.is_apart_from(own_in));
}

/// Where the first block of a side is the second one is behind it, so both sides are looked at once.
template <class Side>
void PairArguments::find_equal(Side& sends, Side& receives, int rank, bool keeps) {
  UserBuffer given, taken;
  const bool has_given = move_.gives || keeps, has_taken = move_.takes || keeps;
  require((!has_given || sends.find(0, given)) && (!has_taken || receives.find(0, taken)));
  const std::uint64_t bytes = has_given ? given.bytes : taken.bytes;
  require(bytes > 0 && (!has_given || !has_taken || taken.bytes == bytes));
  if (!is_usual_) return;
  const std::uint64_t more_given = gives_block_for_each(call_) ? bytes : 0,
                      more_taken = takes_block_of_each(call_) ? bytes : 0;
  if (has_given && has_taken) {
    const UserBuffer all_given{given.address, bytes + more_given},
        all_taken{taken.address, bytes + more_taken};
    require(all_given.is_apart_from(all_taken));
  }
  const auto theirs = static_cast<std::uint64_t>(1 - rank), mine = static_cast<std::uint64_t>(rank);
  if (move_.gives) move_.out = {given.address + theirs * more_given, bytes};
  if (move_.takes) move_.in = {taken.address + theirs * more_taken, bytes};
  if (keeps)
    own_ = {{{given.address + mine * more_given, bytes}, {taken.address + mine * more_taken, bytes}}};
}

}  // namespace foldlane::engine
