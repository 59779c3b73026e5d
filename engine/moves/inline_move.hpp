// Blocks of one size, of which all members know it, beside the epoch: who gives shows its whole vector, and
// who gets takes its block of each. One hop.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/algorithms/turns.hpp"
#include "engine/moves/movement.hpp"
#include "engine/team/call_info.hpp"
#include "engine/team/team.hpp"

namespace foldlane::engine {

/// Bytes that a member shows in such a call.
constexpr std::uint64_t shown_bytes(Call call, std::uint64_t block_bytes, int members) noexcept {
  const bool has_one_for_each = call == Call::alltoall || call == Call::scatter;
  return has_one_for_each ? block_bytes * static_cast<std::uint64_t>(members) : block_bytes;
}

class InlineMove {
 public:
  using Team = engine::Team;
  static constexpr std::uint64_t kAhead = 0;
  static constexpr std::uint64_t count() { return 1; }

  InlineMove(Team& team, Call call, int root, const Movement& movement)
      : team_(team),
        call_(call),
        root_(root),
        movement_(movement),
        bytes_(static_cast<std::size_t>(shown_bytes(call, movement.block_bytes, team.size()))),
        epoch_(team.epochs().begin(1)) {}

  bool gives(std::uint64_t) const { return call_ != Call::scatter || team_.rank() == root_; }
  template <class How>
  Progress await_free(How& how, std::uint64_t) {
    return how.inline_free(team_, epoch_);
  }
  void give(std::uint64_t);

  bool takes(std::uint64_t) const { return call_ != Call::gather || team_.rank() == root_; }
  /// A member shows its blocks only after its previous calls: it has finished epoch - 1.
  template <class How>
  Progress await_given(How& how, std::uint64_t) {
    if (call_ != Call::scatter) return how.all_shown(team_, epoch_, epoch_ - 1);
    return team_.rank() == root_ ? Progress::done : how.shown(team_, root_, epoch_);
  }
  void take(std::uint64_t);
  void finish(std::uint64_t) { team_.epochs().finish(epoch_); }

 protected:
  Team& team() const noexcept { return team_; }
  std::uint64_t epoch() const noexcept { return epoch_; }

 private:
  void take_own();

  Team& team_;
  Call call_;
  int root_;
  const Movement& movement_;
  std::size_t bytes_;
  std::uint64_t epoch_;
};

/// Where ranks share CPUs and everybody wants everybody's: as for CentralExchange.
class CentralMove : public InlineMove {
 public:
  using InlineMove::InlineMove;

  void give(std::uint64_t turn) {
    is_last_ = team().central_counter().arrive(epoch());
    InlineMove::give(turn);
  }
  template <class How>
  Progress await_given(How& how, std::uint64_t turn) {
    if (is_last_) return InlineMove::await_given(how, turn);
    return how.wait(team().waits().done(epoch(), epoch() - 1));
  }
  void take(std::uint64_t turn) {
    if (is_last_) team().central_counter().publish_done();
    InlineMove::take(turn);
  }

 private:
  bool is_last_ = false;
};

}  // namespace foldlane::engine
