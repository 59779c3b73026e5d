// Calls that only move data, of two ranks with dense buffers (engine/collectives/pair_arguments.hpp), and of
// leaves with one.
#pragma once

#include "api/collective/blocks.hpp"
#include "api/objects/communicator.hpp"
#include "api/statistics/recorder.hpp"
#include "engine/collectives/pair_arguments.hpp"

namespace foldlane::api {

/// One side, for who looks at the two blocks of a call of two.
class UsualSide {
 public:
  explicit UsualSide(const Side& side) noexcept : side_(side) {}
  bool find(int i, engine::UserBuffer& block) const;

 private:
  const Side& side_;
};

/// True: the call is in the hands of its form. `root` is a rank that exists; of calls without one any.
template <class Form>
bool move_between_two(const Form& form, engine::Call call, const Communicator& communicator, const Side& send,
                      const Side& recv, int root) {
  engine::Team& team = *communicator.team;
  if (team.size() != 2 || communicator.is_inter || recorder != nullptr) return false;
  const engine::PairArguments arguments(call, team, UsualSide(send), UsualSide(recv), root);
  if (!arguments.are_usual()) return false;
  form.of_two(team, arguments.describe());
  return true;
}

/// The same of a leaf of a gather(v) or scatter(v), of any number of ranks. `side` is that with its block.
template <class Form>
bool move_as_leaf(const Form& form, engine::Call call, const Communicator& communicator, const Side& side,
                  int root) {
  if (communicator.is_inter || recorder != nullptr) return false;
  engine::UserBuffer block;
  return UsualSide(side).find(0, block) && form.as_leaf(*communicator.team, call, block, root);
}

}  // namespace foldlane::api
