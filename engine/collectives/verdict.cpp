#include "engine/collectives/verdict.hpp"

#include <fmt/format.h>

#include "engine/team/call_names.hpp"
#include "engine/team/team.hpp"
#include "shm/job/job.hpp"

namespace foldlane::engine {
namespace {

std::string describe(const Trouble& trouble) {
  const int member = trouble.members[0];
  switch (trouble.why) {
    case Broken::operation:
      return fmt::format("the operation of rank {} threw an exception", member);
    case Broken::memory:
      return fmt::format("rank {} ran out of memory", member);
    case Broken::mismatch:
      if (!trouble.known) return fmt::format("the calls of rank {} and of others do not match", member);
      return fmt::format("the calls do not match: rank {} called {}, rank {} called {}", member,
                         name_of(trouble.calls[0]), trouble.members[1], name_of(trouble.calls[1]));
    case Broken::death:
      return fmt::format("rank {} died", member);
    case Broken::length:
      return fmt::format("rank {} sent {} bytes, rank {} expects {}", member, trouble.bytes[0],
                         trouble.members[1], trouble.bytes[1]);
    case Broken::unreadable:
      return fmt::format("rank {} could not read a block of rank {}", member, trouble.members[1]);
    case Broken::no:
      break;
  }
  return "nothing is wrong";
}

}  // namespace

shm::Error death_of(const Process& process, int rank) {
  const std::uint64_t abort_word = process.signals().abort_word();
  const std::uint64_t death = abort_word != 0 ? abort_word : process.peer(rank).death->observe();
  // Who saw it end may be earlier than who tells why.
  const shm::Failure failure = death != 0 ? shm::unpack(death) : shm::Failure{rank, shm::Cause::lost, 0};
  return {shm::Errc::peer_failed, shm::describe(failure)};
}

shm::Error failure_of(Team& team) {
  const Trouble& trouble = team.agreement().trouble();
  if (trouble.why == Broken::no)
    return {shm::Errc::peer_failed, shm::describe(shm::unpack(team.process().signals().abort_word()))};
  if (trouble.why == Broken::death)
    return death_of(team.process(), team.members()[static_cast<std::size_t>(trouble.members[0])]);
  return {shm::Errc::disagreement, describe(trouble)};
}

std::unique_ptr<const Failure> failure_to_keep(Team& team) {
  return std::make_unique<const Failure>(Failure{failure_of(team), team.agreement().trouble()});
}

}  // namespace foldlane::engine
