// A collective as an operation: nonblocking, or persistent when it is started again and again.
#pragma once

#include <memory>
#include <variant>

#include "engine/algorithms/broadcast.hpp"
#include "engine/algorithms/exchange.hpp"
#include "engine/algorithms/fold_whole.hpp"
#include "engine/collectives/collective.hpp"
#include "engine/collectives/verdict.hpp"
#include "engine/progress/operation.hpp"
#include "shm/base/result.hpp"

namespace foldlane::engine {

/// What `call` points to must outlive the operation, and the team must outlive its end.
class CollectiveOperation final : public Operation {
 public:
  /// `reduction`, unless it is null, takes the place of the call's: one that lives as long as the operation.
  CollectiveOperation(Team& team, const Collective& call, const Reduction* reduction = nullptr);

  /// Of an operation that has failed, also when its team is gone.
  const shm::Error& error() const noexcept { return failure_->error; }
  const Trouble& trouble() const noexcept { return failure_->trouble; }

  /// Collective, in the same order on all members. Only when it is done. Does not block.
  void start() { team_.process().progress().start(team_.operations(), *this); }

 private:
  Progress advance(Patience patience) override;
  Progress run() override;
  void give_up() noexcept override {
    team_.agreement().give_up(Broken::operation);
    end(Progress::failed);
  }
  int awaited_rank() const noexcept override;
  bool has_begun() const noexcept { return !std::holds_alternative<std::monostate>(steps_); }
  /// False if the team is broken.
  bool begin();
  Progress end(Progress progress);

  /// Short calls need no coroutine.
  enum class Kind : std::uint8_t { barrier, inline_fold, inline_broadcast, long_call };
  Kind kind() const noexcept;

  using InlineFolding = SteppedTurns<InlineFold<Team>>;
  using InlineBroadcasting = SteppedTurns<InlineBroadcast<Team>>;
  using Exchanging = SteppedTurns<Exchange<Team>>;

  Team& team_;
  Collective call_;
  CallInfo info_;
  Kind kind_;
  // What the short forms keep references to.
  WholeFold fold_;
  Broadcast broadcast_;
  std::variant<std::monostate, InlineFolding, InlineBroadcasting, Exchanging, Procedure> steps_;
  std::unique_ptr<const Failure> failure_;
};

}  // namespace foldlane::engine
