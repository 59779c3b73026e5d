// Calls that only move data, of two ranks with dense buffers: those in which the arguments would take longer
// than the way. What is not as usual, mistakes included, goes the way of all calls (move.hpp).
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>

#include "api/collective/blocks.hpp"
#include "api/objects/communicator.hpp"
#include "api/statistics/recorder.hpp"
#include "engine/collectives/collective.hpp"
#include "engine/team/call_info.hpp"

namespace foldlane::api {

/// A rank's part in such a call, as far as everything is as usual. It points into itself.
class PairArguments {
 public:
  /// `root` is a rank that exists; of calls without one any.
  PairArguments(engine::Call call, engine::Team& team, const Side& send, const Side& recv, int root);
  PairArguments(const PairArguments&) = delete;
  PairArguments& operator=(const PairArguments&) = delete;

  bool are_usual() const noexcept { return is_usual_; }
  /// Points to these arguments.
  engine::Collective describe() const noexcept;

 private:
  void require(bool usual) noexcept { is_usual_ = is_usual_ && usual; }
  std::uint64_t block_bytes() const noexcept;
  engine::UserBuffer sent_to(int member);
  engine::UserBuffer received_from(int member);
  engine::UserBuffer block(const Side& side, int i);
  void take_own(int rank);
  void compare() noexcept;

  engine::Call call_;
  int root_;
  const Side& sends_;
  const Side& receives_;
  bool is_usual_ = true;
  engine::PairMove move_{};
  std::array<engine::UserBuffer, 2> own_{};
};

/// True: the call is in the hands of its form.
template <class Form>
bool move_between_two(const Form& form, engine::Call call, const Communicator& communicator, const Side& send,
                      const Side& recv, int root) {
  engine::Team& team = *communicator.team;
  if (team.size() != 2 || communicator.is_inter || recorder != nullptr) return false;
  const PairArguments arguments(call, team, send, recv, root);
  if (!arguments.are_usual()) return false;
  form.of_two(team, arguments.describe());
  return true;
}

}  // namespace foldlane::api
