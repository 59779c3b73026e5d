#include "statistics/gather.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <span>
#include <utility>

#include "engine/job/areas.hpp"
#include "engine/statistics/comparison.hpp"
#include "launch/bindings.hpp"
#include "options/call_form.hpp"
#include "shm/job/job.hpp"

namespace foldlane::tools {
namespace {

using engine::CommunicatorRecord;

/// A rank's record of a communicator.
struct Own {
  int rank;
  CommunicatorRecord* record;
};

/// The team; of communicators of one rank each, which are many and alike, the name.
using Key = std::pair<std::uint64_t, std::string>;
using Communicators = std::map<Key, std::vector<Own>>;

Key key_of(const CommunicatorRecord& record) {
  if (record.members == 1) return {0, record.name.data()};
  return {record.team.observe(), ""};
}

bool has_joined(const shm::Segment& segment, int rank) {
  return segment.rank_lines(rank).record.state.observe() >=
         static_cast<std::uint64_t>(shm::RankState::attached);
}

Communicators communicators_of(const shm::Segment& segment) {
  Communicators found;
  for (int rank = 0; rank < segment.ranks(); ++rank) {
    if (!has_joined(segment, rank)) continue;
    for (CommunicatorRecord* const record : engine::communicator_records(segment, rank))
      if (record->team.observe() != 0) found[key_of(*record)].push_back({rank, record});
  }
  return found;
}

/// The calls since the ranks did so last.
void compare(const std::vector<Own>& owns) {
  const std::size_t size = owns.front().record->members;
  if (size < 2 || owns.size() != size) return;
  std::vector<const CommunicatorRecord*> members(size);
  for (const Own& own : owns) members[own.record->member] = own.record;
  for (const Own& own : owns) engine::Comparison(*own.record, members).advance(own.record->calls.observe());
}

RankCalls calls_of(int rank, const engine::CallTotals& totals, double seconds_per_tick) {
  const auto seconds = [&](std::uint64_t ticks) { return static_cast<double>(ticks) * seconds_per_tick; };
  return {.rank = rank,
          .calls = totals.calls,
          .bytes = totals.bytes,
          .inside = seconds(totals.inside),
          .waited = seconds(totals.waited),
          .compared = totals.compared,
          .times_late = totals.times_late,
          .kept_waiting = seconds(totals.kept_waiting),
          .direct_bytes = totals.direct_bytes,
          .private_calls = totals.private_calls,
          .private_bytes = totals.private_bytes,
          .routes = totals.routes};
}

/// "MPI_Iallreduce"
std::string mpi_name(engine::CallKind kind) {
  std::string name = written(kind.call().name, kind.form());
  name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  return "MPI_" + name;
}

std::string name_of(const std::vector<Own>& owns) {
  const CommunicatorRecord& first = *owns.front().record;
  if (first.team.observe() == engine::kOverflowTeam) return "further communicators";
  for (const Own& own : owns)
    if (own.record->name[0] != '\0') return own.record->name.data();
  return first.members == 1 ? "communicators of one rank"
                            : fmt::format("communicator {}", (first.team.observe() & 0xffff) - 1);
}

void add_calls(JobStatistics& job, const std::vector<Own>& owns, double seconds_per_tick) {
  for (std::size_t number = 0; number < engine::kKinds; ++number) {
    CallStatistics calls{mpi_name({number}), name_of(owns), owns.front().record->members, {}};
    for (const Own& own : owns) {
      const engine::CallTotals& totals = own.record->totals[number];
      if (totals.calls > 0) calls.ranks.push_back(calls_of(own.rank, totals, seconds_per_tick));
    }
    if (!calls.ranks.empty()) job.calls.push_back(std::move(calls));
  }
}

bool takes_longer(const CallStatistics& a, const CallStatistics& b) {
  return total(a, &RankCalls::inside) > total(b, &RankCalls::inside);
}

}  // namespace

double TickLength::seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

double TickLength::seconds_per_tick() const {
  return seconds() / static_cast<double>(ticks_.now() - first_tick_);
}

JobStatistics gather(const shm::Segment& segment, const shm::Placement& placement, const TickLength& clock) {
  JobStatistics job{
      .seconds = clock.seconds(), .binding = placement.why, .cpus = {}, .absent = {}, .calls = {}};
  for (const shm::RankPlace& place : placement.ranks) job.cpus.push_back(cpu_list(place.os_cpus));
  for (int rank = 0; rank < segment.ranks(); ++rank)
    if (!has_joined(segment, rank)) job.absent.push_back(rank);
  for (const auto& [key, owns] : communicators_of(segment)) {
    compare(owns);
    add_calls(job, owns, clock.seconds_per_tick());
  }
  std::stable_sort(job.calls.begin(), job.calls.end(), takes_longer);
  return job;
}

}  // namespace foldlane::tools
