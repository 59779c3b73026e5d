#include "api/statistics/communicator_log.hpp"

#include <algorithm>
#include <utility>

#include "api/core/world.hpp"

namespace foldlane::api {

using engine::CommunicatorRecord;

namespace {

/// Ids are used again, but not with the same epoch, and the members of a new team agree about it.
std::uint64_t identity_of(engine::Team& team) {
  return team.epochs().next_epoch() << 16 | (static_cast<std::uint64_t>(team.membership().id()) + 1);
}

void add(engine::CallTotals& totals, const CallFacts& facts, const CallTimes& times, engine::Route route) {
  ++totals.calls;
  totals.bytes += facts.bytes;
  totals.inside += times.inside;
  ++totals.routes[static_cast<std::size_t>(route)];
  if (route == engine::Route::direct) totals.direct_bytes += facts.bytes;
  if (!facts.outlook.could_be_direct || facts.outlook.offers_own_buffer) return;
  ++totals.private_calls;
  totals.private_bytes += facts.bytes;
}

}  // namespace

CallFacts CommunicatorLog::facts_of(engine::Team& team, const engine::Collective& call, engine::Form form) {
  return {engine::kind_of(call, form), engine::needs_of(call), call.bytes(), outlooks_.of(team, call)};
}

CommunicatorLog::CommunicatorLog(engine::Team& team, std::string name)
    : team_(identity_of(team)),
      member_(static_cast<std::uint32_t>(team.rank())),
      ranks_(team.members()),
      name_(std::move(name)) {}

void CommunicatorLog::use(CommunicatorRecord& record) noexcept {
  record_ = &record;
  if (record.team.peek() == engine::kOverflowTeam) return;
  record.member = member_;
  record.members = static_cast<std::uint32_t>(ranks_.size());
  write_name();
  record.team.publish(team_);
}

void CommunicatorLog::rename(std::string name) {
  name_ = std::move(name);
  if (record_ != nullptr && record_->team.peek() != engine::kOverflowTeam) write_name();
}

void CommunicatorLog::write_name() noexcept {
  auto& text = record_->name;
  text.fill('\0');
  std::copy_n(name_.data(), std::min(name_.size(), text.size() - 1), text.data());
}

std::uint64_t CommunicatorLog::enter(std::uint64_t now) noexcept {
  const std::uint64_t number = record_->calls.peek();
  engine::Arrival& arrival = record_->arrivals[number % engine::kArrivals];
  arrival.left.publish(0);
  arrival.entered.publish(now);
  record_->calls.publish(number + 1);
  return number;
}

void CommunicatorLog::note_stay(std::uint64_t number, const CallFacts& facts,
                                const CallTimes& times) noexcept {
  if (record_->calls.peek() > number + engine::kArrivals) return;  // its place has a newer call
  engine::Arrival& arrival = record_->arrivals[number % engine::kArrivals];
  arrival.what = engine::packed(facts.kind, facts.needs);
  arrival.waits_from.publish(times.waits_from);
  arrival.left.publish(times.left);
}

void CommunicatorLog::leave(std::uint64_t number, const CallFacts& facts, const CallTimes& times,
                            engine::Route route) {
  add(record_->totals[facts.kind.number], facts, times, route);
  if (ranks_.size() == 1 || record_->team.peek() == engine::kOverflowTeam) return;
  note_stay(number, facts, times);
  if (number % engine::kCompareEvery == 0 && number > engine::kCompareEvery)
    compare(number - engine::kCompareEvery);
}

void CommunicatorLog::compare(std::uint64_t end) {
  if (!comparison_) {
    std::vector<const CommunicatorRecord*> members;
    for (std::size_t member = 0; member < ranks_.size(); ++member) members.push_back(record_of(member));
    if (std::find(members.begin(), members.end(), nullptr) != members.end()) return;
    comparison_.emplace(*record_, std::move(members));
  }
  comparison_->advance(end);
}

const CommunicatorRecord* CommunicatorLog::record_of(std::size_t member) const noexcept {
  const auto table = world.job->communicator_records(ranks_[member]);
  const auto found = std::find_if(table.begin(), table.end(), [&](const CommunicatorRecord* record) {
    return record->team.observe() == team_;
  });
  return found == table.end() ? nullptr : *found;
}

}  // namespace foldlane::api
