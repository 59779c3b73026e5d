#include "engine/job/founding_operations.hpp"

#include "engine/algorithms/exchange.hpp"

namespace foldlane::engine {

std::unique_ptr<Founding::Duplication> Founding::start_duplicate(Team& parent) {
  auto duplication = std::make_unique<Duplication>(*this, parent);
  process_.progress().start(parent.operations(), *duplication);
  return duplication;
}

bool Founding::Duplication::begin() {
  if (steps_) return true;
  if (parent_.agreement().broken()) return false;
  steps_.emplace(founding_.found_steps(parent_, parent_.members(), {.call = Call::duplicate}, founded_));
  return true;
}

Progress Founding::Duplication::advance(Patience patience) {
  const Progress progress = begin() ? steps_->step(patience) : Progress::failed;
  return progress == Progress::waiting ? progress : end(progress);
}

Progress Founding::Duplication::run() { return end(outcome(begin() && steps_->run())); }

Progress Founding::Duplication::end(Progress progress) {
  if (progress == Progress::failed) failure_ = failure_to_keep(parent_);
  return progress;
}

void Founding::retire(std::unique_ptr<Team> team) {
  OperationQueue& operations = team->operations();
  process_.progress().start_and_forget(operations, std::make_unique<Departure>(*this, std::move(team)));
}

/// A team that is broken, or turns out to be, keeps its id.
bool Founding::Departure::begin() {
  if (steps_) return true;
  if (!team_->agreement().announce({.call = Call::dissolve})) return false;
  steps_.emplace(founding_.dissolve_steps(*team_));
  return true;
}

Progress Founding::Departure::advance(Patience patience) {
  if (team_->size() == 1) return end_alone();
  return end(begin() ? steps_->step(patience) : Progress::failed);
}

Progress Founding::Departure::run() {
  if (team_->size() == 1) return end_alone();
  return end(outcome(begin() && steps_->run()));
}

/// Another team may come to lie where a broken one was, and must not be taken for it.
Progress Founding::Departure::end(Progress progress) {
  if (progress == Progress::failed) founding_.messenger_.close(*team_);
  return progress;
}

Progress Founding::Departure::end_alone() {
  founding_.messenger_.close(*team_);
  return Progress::done;
}

Procedure Founding::dissolve_steps(Team& team) {
  team.agreement()
      .record_call();  // members in another call are not to wait until this one drives its departure again
  co_await exchange_as_procedure(team);
  messenger_.close(team);  // what its members have sent is there
  if (team.rank() != 0) co_return;
  // Nobody may still be looking at the lines when another team gets them.
  co_await team.waits().all_finished(team.epochs().next_epoch() - 1);
  ids_.give_back(team.membership().id(), team.epochs().next_fresh());
}

}  // namespace foldlane::engine
