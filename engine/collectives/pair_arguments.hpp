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
  void compare() noexcept;

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
  const auto find = [&](Side& side, bool has_each, int member, UserBuffer& block) {
    require(is_usual_ && side.find(has_each ? member : 0, block));
  };
  const bool each_given = gives_block_for_each(call), each_taken = takes_block_of_each(call);
  move_.gives = gives_in(call, is_root);
  move_.takes = takes_in(call, is_root);
  move_.tells_length = !moves_equal_blocks(call);
  if (move_.gives) find(sends, each_given, 1 - rank, move_.out);
  if (move_.takes) find(receives, each_taken, 1 - rank, move_.in);
  if ((move_.gives && move_.takes) || is_root) {
    find(sends, each_given, rank, own_[0]);
    find(receives, each_taken, rank, own_[1]);
    if (own_[0].bytes > 0) move_.own = own_.data();
    require(own_[0].bytes == own_[1].bytes);
  }
  compare();
  is_usual_ = is_usual_ && limit_at_once(team, call, block_bytes(), move_);
}

inline void PairArguments::compare() noexcept {
  const auto& [own_out, own_in] = own_;
  require(move_.out.is_apart_from(move_.in) && move_.out.is_apart_from(own_in) &&
          own_out.is_apart_from(move_.in) && own_out.is_apart_from(own_in));
  if (move_.tells_length) return;
  const std::uint64_t bytes = block_bytes();
  require(bytes > 0 && (!move_.takes || move_.in.bytes == bytes));
  require(move_.own == nullptr || own_[0].bytes == bytes);
}

}  // namespace foldlane::engine
