#include "api/statistics/recorded_call.hpp"

#include <algorithm>
#include <utility>

#include "api/core/world.hpp"

namespace foldlane::api {
namespace {

using engine::Route;

/// Since when this thread has waited for the request that it completes next.
thread_local std::uint64_t completing_since = 0;

std::uint64_t between(std::uint64_t start, std::uint64_t end) { return end > start ? end - start : 0; }

}  // namespace

void begin_completing() noexcept { completing_since = recorder->now(); }

RecordedCall::RecordedCall(engine::Team& team, const engine::Collective& call)
    : team_(team),
      call_(call),
      log_(*recorder->log_of(team)),
      direct_calls_(world.job->process().direct_calls()),
      is_only_call_(team_.process().progress().is_undisturbed()),
      entered_(recorder->now()),
      number_(recorder->enter(log_, entered_)) {}

void RecordedCall::leave() {
  const std::uint64_t left = recorder->now();
  const CallFacts facts = recorder->facts_of(log_, team_, call_, engine::Form::blocking);
  recorder->leave(log_, number_, facts, {entered_, left, between(entered_, left)}, route(facts));
}

Route RecordedCall::route(const CallFacts& facts) const {
  const engine::Outlook& outlook = facts.outlook;
  if (!outlook.could_be_direct || !outlook.offers_own_buffer) return outlook.route;
  if (!is_only_call_) return Route::offered;
  return world.job->process().direct_calls() == direct_calls_ ? outlook.route : Route::direct;
}

RecordedRequestCall::RecordedRequestCall(engine::Team& team, const engine::Collective& call,
                                         engine::Form form)
    : log_(recorder->log_of(team)),
      facts_(recorder->facts_of(*log_, team, call, form)),
      route_(facts_.outlook.could_be_direct && facts_.outlook.offers_own_buffer ? Route::offered
                                                                                : facts_.outlook.route) {}

void RecordedRequestCall::enter() {
  entered_ = recorder->now();
  number_ = recorder->enter(*log_, entered_);
}

void RecordedRequestCall::started() { started_ = recorder->now(); }

void RecordedRequestCall::leave() {
  const std::uint64_t left = recorder->now();
  const std::uint64_t waits_from = std::max(started_, std::exchange(completing_since, left));
  const std::uint64_t inside = between(entered_, started_) + between(waits_from, left);
  recorder->leave(*log_, number_, facts_, {waits_from, left, inside}, route_);
}

}  // namespace foldlane::api
