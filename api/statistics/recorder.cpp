#include "api/statistics/recorder.hpp"

#include "api/core/world.hpp"

namespace foldlane::api {

Recorder* recorder = nullptr;

void start_recorder() {
  const bool is_wanted = !world.job->communicator_records(world.job->rank()).empty();
  if (is_wanted) recorder = new Recorder;  // never destroyed, as the job
}

void Recorder::watch(const Communicator& communicator) {
  const auto held = lock();
  logs_[communicator.team] = std::make_shared<CommunicatorLog>(*communicator.team, name_of(communicator));
  last_team_ = nullptr;
}

void Recorder::rename(const Communicator& communicator, const std::string& name) {
  const auto held = lock();
  logs_.at(communicator.team)->rename(name);
}

const std::shared_ptr<CommunicatorLog>& Recorder::log_of(const engine::Team& team) {
  const auto held = lock();
  if (last_team_ != &team) {
    last_log_ = &logs_.at(&team);
    last_team_ = &team;
    if (!(*last_log_)->has_record()) (*last_log_)->use(take_record());
  }
  return *last_log_;
}

CallFacts Recorder::facts_of(CommunicatorLog& log, engine::Team& team, const engine::Collective& call,
                             engine::Form form) {
  const auto held = lock();
  return log.facts_of(team, call, form);
}

std::uint64_t Recorder::enter(CommunicatorLog& log, std::uint64_t now) {
  const auto held = lock();
  return log.enter(now);
}

void Recorder::leave(CommunicatorLog& log, std::uint64_t number, const CallFacts& facts,
                     const CallTimes& times, engine::Route route) {
  const auto held = lock();
  log.leave(number, facts, times, route);
}

std::unique_lock<std::mutex> Recorder::lock() {
  return world.has_threads ? std::unique_lock(mutex_) : std::unique_lock(mutex_, std::defer_lock);
}

engine::CommunicatorRecord& Recorder::take_record() {
  const int rank = world.job->rank();
  world.job->grow_communicator_records(used_ + 1);
  const auto records = world.job->communicator_records(rank);
  if (used_ < records.size()) return *records[used_++];
  records.front()->team.publish(engine::kOverflowTeam);
  return *records.front();
}

}  // namespace foldlane::api
