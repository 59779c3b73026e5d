// Teams that come and go while their members do other things.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "engine/collectives/verdict.hpp"
#include "engine/job/founding.hpp"
#include "engine/progress/operation.hpp"
#include "engine/progress/procedure.hpp"

namespace foldlane::engine {

/// Founds a team of all members of another one. The parent must outlive it.
class Founding::Duplication final : public Operation {
 public:
  Duplication(Founding& founding, Team& parent) : founding_(founding), parent_(parent) {}

  /// Of one that has failed: why, also when its parent is gone.
  const shm::Error& error() const noexcept { return failure_->error; }
  const Trouble& trouble() const noexcept { return failure_->trouble; }
  /// Of another one, once.
  FoundedTeam result() { return std::move(founded_); }

 private:
  Progress advance(Patience patience) override;
  Progress run() override;
  void give_up() noexcept override {}  // runs nothing of the caller's
  int awaited_rank() const noexcept override { return steps_->awaited_rank(); }
  std::uint64_t steps() const noexcept override { return steps_->steps(); }

  bool begin();
  Progress end(Progress progress);

  Founding& founding_;
  Team& parent_;
  std::unique_ptr<const Failure> failure_;
  FoundedTeam founded_{std::unique_ptr<Team>()};
  std::optional<Procedure> steps_;
};

/// Ends a team that its owner has no more use for: when all members have come to that, its id is free.
class Founding::Departure final : public Operation {
 public:
  Departure(Founding& founding, std::unique_ptr<Team> team) : founding_(founding), team_(std::move(team)) {}

 private:
  Progress advance(Patience patience) override;
  Progress run() override;
  void give_up() noexcept override {}  // runs nothing of the caller's
  int awaited_rank() const noexcept override { return steps_->awaited_rank(); }
  std::uint64_t steps() const noexcept override { return steps_->steps(); }

  bool begin();
  Progress end(Progress progress);
  Progress end_alone();

  Founding& founding_;
  std::unique_ptr<Team> team_;
  std::optional<Procedure> steps_;
};

}  // namespace foldlane::engine
