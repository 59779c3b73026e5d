// Calls that only move data, of two members with dense buffers, from their arguments straight to their turns:
// what the arguments would take is a part of a short call, and behind the copies of a long one they are no
// longer in the first-level cache. What is not as usual, mistakes included, goes the way of all calls
// (Movement), to the same turns.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "engine/collectives/move_steps.hpp"
#include "engine/moves/pair/of_two.hpp"
#include "engine/moves/roles.hpp"
#include "engine/p2p/user_buffer.hpp"
#include "engine/team/call_info.hpp"
#include "engine/team/team.hpp"
#include "shm/base/result.hpp"

namespace foldlane::engine {

/// A member's part in such a call, as far as everything is as usual. It points into itself.
class PairArguments {
 public:
  /// `side.find(i, block)` says whether block i of the arguments is as usual, and where it is, and
  /// `side.find(i, j, block, other_block)` the same of two;
  /// `side.block_bytes()` the bytes of equal ones, 0 if there are none or they are not as usual, and
  /// `side.start()` where the first one is. `root` is a member; of calls without one any.
  template <class Side>
  [[gnu::always_inline]] PairArguments(Call call, Team& team, const Side& sends, const Side& receives,
                                       int root);
  PairArguments(const PairArguments&) = delete;
  PairArguments& operator=(const PairArguments&) = delete;

  bool are_usual() const noexcept { return is_usual_; }
  /// Of usual ones.
  bool are_long() const noexcept { return is_long_; }
  CallInfo info() const noexcept {
    return {.call = call_, .root = static_cast<std::uint16_t>(root_), .count = block_bytes()};
  }
  /// Points to these arguments.
  const PairMove& move() const noexcept { return move_; }

  /// Of this member's input.
  std::uint64_t bytes() const noexcept {
    const bool gives_one = !gives_block_for_each(call_);
    return gives_one ? std::max(move_.out.bytes, own_[0].bytes) : move_.out.bytes + own_[0].bytes;
  }

 private:
  std::uint64_t block_bytes() const noexcept {
    if (move_.tells_length) return 0;
    return move_.gives ? move_.out.bytes : move_.in.bytes;
  }
  /// What follows from the call, which the compiler knows; read back out of the object it would not.
  struct Roles {
    Call call;
    bool gives;
    bool takes;
    bool is_root;
    /// Whether it gives itself a block, too.
    constexpr bool keeps() const noexcept { return (gives && takes) || is_root; }
  };
  template <class Side>
  [[gnu::always_inline]] void find_listed(const Side& sends, const Side& receives, int rank,
                                          const Roles& roles);
  template <class Side>
  [[gnu::always_inline]] void find_equal(const Side& sends, const Side& receives, int rank,
                                         const Roles& roles);

  Call call_;
  int root_;
  bool is_usual_ = true;
  bool is_long_ = false;
  PairMove move_;
  std::array<UserBuffer, 2> own_{};
};

template <class Side>
inline PairArguments::PairArguments(Call call, Team& team, const Side& sends, const Side& receives, int root)
    : call_(call), root_(root) {
  const int rank = team.rank();
  const bool is_root = rank == root;
  const Roles roles{call, gives_in(call, is_root), takes_in(call, is_root), is_root};
  move_.gives = roles.gives;
  move_.takes = roles.takes;
  move_.is_root = is_root;
  move_.tells_length = !moves_equal_blocks(call);
  if (!moves_equal_blocks(call)) {
    find_listed(sends, receives, rank, roles);
  } else {
    find_equal(sends, receives, rank, roles);
  }
  if (own_[0].bytes > 0) move_.own = own_.data();
  move_.most_in_line = most_in_line(!moves_equal_blocks(call));
  if (!is_usual_ || move_.is_in_lines()) return;
  is_usual_ = limit_boxes(team, call, block_bytes(), move_);
  is_long_ = goes_long_way(move_);
}

template <class Side>
inline void PairArguments::find_listed(const Side& sends, const Side& receives, int rank,
                                       const Roles& roles) {
  const int theirs = 1 - rank;
  const auto find = [&](const Side& side, bool has_each, bool passes, UserBuffer& passed, UserBuffer& own)
      __attribute__((always_inline)) {
    const int first = has_each ? theirs : 0, second = has_each ? rank : 0;
    if (passes && roles.keeps()) return side.find(first, second, passed, own);
    return (!passes || side.find(first, passed)) && (!roles.keeps() || side.find(second, own));
  };
  auto& [own_out, own_in] = own_;
  const auto is_apart_from_both = [&](const UserBuffer& out) {
    return out.is_apart_from(move_.in) && out.is_apart_from(own_in);
  };
  is_usual_ = find(sends, gives_block_for_each(roles.call), roles.gives, move_.out, own_out) &&
              find(receives, takes_block_of_each(roles.call), roles.takes, move_.in, own_in) &&
              own_out.bytes == own_in.bytes && is_apart_from_both(move_.out) && is_apart_from_both(own_out);
}

/// Where the first block of a side is the second one is behind it, so both sides are looked at once. Of a
/// block only what a dense one has is written.
template <class Side>
inline void PairArguments::find_equal(const Side& sends, const Side& receives, int rank, const Roles& roles) {
  const bool has_given = roles.gives || roles.keeps(), has_taken = roles.takes || roles.keeps();
  const std::uint64_t bytes = has_given ? sends.block_bytes() : receives.block_bytes();
  is_usual_ = bytes > 0 && (!has_given || !has_taken || receives.block_bytes() == bytes);
  if (!is_usual_) return;
  const std::uint64_t more_given = gives_block_for_each(roles.call) ? bytes : 0,
                      more_taken = takes_block_of_each(roles.call) ? bytes : 0;
  std::byte *const given = sends.start(), *const taken = receives.start();
  if (has_given && has_taken)
    is_usual_ = UserBuffer{given, bytes + more_given}.is_apart_from({taken, bytes + more_taken});
  const auto put = [bytes](UserBuffer& block, std::byte* address) {
    block.address = address;
    block.bytes = bytes;
  };
  const auto theirs = static_cast<std::uint64_t>(1 - rank), mine = static_cast<std::uint64_t>(rank);
  if (roles.gives) put(move_.out, given + theirs * more_given);
  if (roles.takes) put(move_.in, taken + theirs * more_taken);
  if (!roles.keeps()) return;
  put(own_[0], given + mine * more_given);
  put(own_[1], taken + mine * more_taken);
}

/// The call, and its announcement.
shm::Result<void> move_at_once(Team& team, const PairArguments& call);
/// The same of long ones, which may be messages.
shm::Result<void> move_long_at_once(Team& team, const PairArguments& call, const Mail& mail);

inline CallInfo info_of(const PairArguments& call, const Team&) noexcept { return call.info(); }

}  // namespace foldlane::engine
