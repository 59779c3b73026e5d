#include "shm/job/job.hpp"

#include <fmt/format.h>

#include <cstring>

namespace foldlane::shm {

std::uint64_t pack(const Failure& failure) noexcept {
  const auto rank_code = static_cast<std::uint64_t>(failure.rank) + 2;  // never zero: 1 is "the whole job"
  return static_cast<std::uint64_t>(failure.cause) << 48 |
         (static_cast<std::uint64_t>(failure.detail) & 0xffff) << 32 | rank_code;
}

Failure unpack(std::uint64_t abort_word) noexcept {
  return {static_cast<int>(abort_word & 0xffffffff) - 2, static_cast<Cause>(abort_word >> 48),
          static_cast<int>(abort_word >> 32 & 0xffff)};
}

std::string describe(const Failure& failure) {
  const std::string who = failure.rank < 0 ? "the job" : fmt::format("rank {}", failure.rank);
  switch (failure.cause) {
    case Cause::signal:
      return fmt::format("{} was killed by signal {} ({})", who, failure.detail, strsignal(failure.detail));
    case Cause::exit:
      return fmt::format("{} ended with exit code {}", who, failure.detail);
    case Cause::unfinalized:
      return fmt::format("{} ended without finalizing", who);
    case Cause::never_joined:
      return fmt::format("{} ended without joining the job", who);
    case Cause::aborted:
      return fmt::format("{} aborted the job with code {}", who, failure.detail);
    case Cause::timeout:
      return fmt::format("{} ran into its time limit of {} s", who, failure.detail);
    case Cause::interrupt:
      return fmt::format("{} was interrupted by signal {} ({})", who, failure.detail,
                         strsignal(failure.detail));
    case Cause::lost:
      return fmt::format("{} has died: it was killed, or ended without finalizing", who);
    case Cause::orphaned:
      return fmt::format("{} has lost its launcher, which was killed", who);
  }
  return who + " failed";
}

RankReport JobMonitor::report(int rank) const noexcept {
  const RankRecord& record = segment_.rank_lines(rank).record;
  const auto state = static_cast<RankState>(record.state.observe());
  return {state, static_cast<int>(record.abort_code.peek())};
}

void JobMonitor::declare(const Failure& failure) noexcept {
  if (!segment_.launcher_line().abort_word.claim(0, pack(failure))) return;
  if (failure.rank >= 0) return declare_dead(failure);
  ring_all();
}

void JobMonitor::declare_dead(const Failure& failure) noexcept {
  if (!segment_.ended_line(failure.rank).death.claim(0, pack(failure))) return;
  segment_.launcher_line().deaths.add(1);
  ring_all();
}

/// Nobody misses this bell: a sleeper reads it before its last look at abort word and deaths (doorbell.hpp).
void JobMonitor::ring_all() noexcept {
  for (int rank = 0; rank < segment_.ranks(); ++rank) {
    segment_.rank_lines(rank).doorbell.ring();
    segment_.rank_lines(rank).inbox.ring();
  }
}

void JobMonitor::declare_ended(int rank) noexcept { segment_.ended_line(rank).ended.publish(1); }

}  // namespace foldlane::shm
