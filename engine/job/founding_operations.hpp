// Teams that come and go while their members do other things.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "engine/job/founding.hpp"
#include "engine/progress/operation.hpp"
#include "engine/progress/procedure.hpp"

namespace foldlane::engine {

/// Founds a team of all members of another one. The parent must outlive it.
class Founding::Duplication final : public Operation {
 public:
  Duplication(Founding& founding, Team& parent) : founding_(founding), parent_(parent) {}

  /// Once it is done.
  FoundedTeam result();

 private:
  Progress advance(Patience patience) override;
  Progress run() override;
  void give_up() noexcept override {}  // runs nothing of the caller's
  int awaited_rank() const noexcept override { return steps_->awaited_rank(); }

  bool begin();

  Founding& founding_;
  Team& parent_;
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

  bool begin();

  Founding& founding_;
  std::unique_ptr<Team> team_;
  std::optional<Procedure> steps_;
};

}  // namespace foldlane::engine
