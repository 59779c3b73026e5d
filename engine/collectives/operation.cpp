#include "engine/collectives/operation.hpp"

#include "engine/collectives/by_plan.hpp"

namespace foldlane::engine {

CollectiveOperation::CollectiveOperation(Team& team, const Collective& call, const Reduction* reduction)
    : team_(team), call_(call) {
  if (reduction != nullptr) call_.reduction = reduction;
  info_ = info_of(call_, team_);
  kind_ = kind();
  if (kind_ == Kind::inline_fold) fold_ = whole_of(team_, call_);
  if (kind_ == Kind::inline_broadcast) broadcast_ = broadcast_of(call_);
}

/// With the same limits as the blocking short calls, which are those of the plan.
CollectiveOperation::Kind CollectiveOperation::kind() const noexcept {
  if (team_.flat_inline_bytes() == 0 || call_.is_between_groups()) return Kind::long_call;
  if (call_.call == Call::barrier) return Kind::barrier;
  if (!team_.carries_inline(call_.bytes())) return Kind::long_call;
  return call_.call == Call::bcast ? Kind::inline_broadcast : Kind::inline_fold;
}

bool CollectiveOperation::begin() {
  if (!team_.agreement().announce(info_)) return false;
  switch (kind_) {
    case Kind::barrier:
      steps_.emplace<Exchanging>(team_);
      break;
    case Kind::inline_fold:
      steps_.emplace<InlineFolding>(team_, fold_);
      break;
    case Kind::inline_broadcast:
      steps_.emplace<InlineBroadcasting>(team_, broadcast_);
      break;
    case Kind::long_call:
      steps_.emplace<Procedure>(steps_of(team_, call_));
      break;
  }
  return true;
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
  if (progress == Progress::failed) failure_ = failure_to_keep(team_);
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
