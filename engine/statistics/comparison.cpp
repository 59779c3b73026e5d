#include "engine/statistics/comparison.hpp"

#include <algorithm>
#include <utility>

namespace foldlane::engine {
namespace {

CallKind kind_in(std::uint64_t what) { return {what & 0xff}; }
Needs needs_in(std::uint64_t what) {
  return {static_cast<Needs::Whom>(what >> 8 & 0xff), static_cast<std::uint16_t>(what >> 16)};
}

/// False if it is not there yet, or no more.
bool read_stay(const CommunicatorRecord& record, std::uint64_t call, Stay& stay) {
  if (record.calls.observe() <= call) return false;
  const Arrival& arrival = record.arrivals[call % kArrivals];
  const std::uint64_t left = arrival.left.observe();
  stay = {arrival.entered.observe(), arrival.waits_from.observe(), left};
  return left != 0 && record.calls.observe() < call + kArrivals;
}

void add(CallTotals& totals, const Lateness& lateness) {
  ++totals.compared;
  totals.waited += lateness.waited;
  totals.kept_waiting += lateness.kept;
  if (lateness.kept > 0) ++totals.times_late;
}

}  // namespace

std::uint64_t packed(CallKind kind, const Needs& needs) noexcept {
  return kind.number | std::uint64_t{needs.whom} << 8 | std::uint64_t{needs.root_member} << 16;
}

Comparison::Comparison(CommunicatorRecord& own, std::vector<const CommunicatorRecord*> members)
    : own_(own), members_(std::move(members)), stays_(members_.size()) {}

bool Comparison::read(std::uint64_t call) {
  for (std::size_t member = 0; member < members_.size(); ++member)
    if (!read_stay(*members_[member], call, stays_[member])) return false;
  return true;
}

void Comparison::advance(std::uint64_t end) {
  for (std::uint64_t call = own_.compared; call < end; ++call) {
    const std::uint64_t what = own_.arrivals[call % kArrivals].what;
    if (!read(call)) continue;
    add(own_.totals[kind_in(what).number], lateness_of(needs_in(what), own_.member, stays_));
  }
  own_.compared = std::max(own_.compared, end);
}

}  // namespace foldlane::engine
