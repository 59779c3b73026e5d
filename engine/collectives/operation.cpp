#include "engine/collectives/operation.hpp"

#include "engine/collectives/by_plan.hpp"
#include "engine/collectives/verdict.hpp"

namespace foldlane::engine {

/// With the same limits as the blocking short calls, which are those of the plan.
bool CollectiveOperation::begin() {
  if (!team_.announce(info_of(call_, team_))) return false;
  const bool flat = team_.flat_inline_bytes() > 0 && !call_.is_between_groups();
  if (flat && call_.call == Call::barrier) {
    steps_.emplace<Exchanging>(team_);
  } else if (flat && team_.carries_inline(call_.bytes())) {
    begin_short();
  } else {
    steps_.emplace<Procedure>(steps_of(team_, call_));
  }
  return true;
}

void CollectiveOperation::begin_short() {
  if (call_.call == Call::bcast) {
    broadcast_ = broadcast_of(call_);
    steps_.emplace<InlineBroadcasting>(team_, broadcast_);
  } else {
    fold_ = whole_of(team_, call_);
    steps_.emplace<InlineFolding>(team_, fold_);
  }
}

Progress CollectiveOperation::advance(Patience patience) {
  if (!has_begun() && !begin()) return end(Progress::failed);
  const auto step = [patience](auto& steps) {
    if constexpr (std::is_same_v<decltype(steps), std::monostate&>) {
      return Progress::done;
    } else {
      return steps.step(patience);
    }
  };
  const Progress progress = std::visit(step, steps_);
  return progress == Progress::waiting ? progress : end(progress);
}

Progress CollectiveOperation::run() {
  if (!has_begun() && !begin()) return end(Progress::failed);
  const auto go = [](auto& steps) {
    if constexpr (std::is_same_v<decltype(steps), std::monostate&>) {
      return Progress::done;
    } else if constexpr (std::is_same_v<decltype(steps), Procedure&>) {
      return outcome(steps.run());
    } else {
      return steps.run();
    }
  };
  return end(std::visit(go, steps_));
}

Progress CollectiveOperation::end(Progress progress) {
  steps_.emplace<std::monostate>();
  if (progress == Progress::failed)
    failure_ = std::make_unique<const Failure>(Failure{failure_of(team_), team_.trouble()});
  return progress;
}

int CollectiveOperation::awaited_rank() const noexcept {
  const auto rank = [](const auto& steps) {
    if constexpr (std::is_same_v<decltype(steps), const std::monostate&>) {
      return 0;
    } else {
      return steps.awaited_rank();
    }
  };
  return std::visit(rank, steps_);
}

}  // namespace foldlane::engine
