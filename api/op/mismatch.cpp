// The message about members that disagree, in the words of MPI.
#include "api/op/mismatch.hpp"

#include <fmt/format.h>

#include <string>

#include "api/core/failure.hpp"
#include "api/op/call_text.hpp"

namespace foldlane::api {
namespace {

using engine::Broken;

std::string describe(const engine::Trouble& trouble) {
  const auto& [one, other] = trouble.members;
  switch (trouble.why) {
    case Broken::operation:
      return fmt::format("rank {} gave up: a function of the program failed there", one);
    case Broken::memory:
      return fmt::format("rank {} gave up: it ran out of memory", one);
    case Broken::length:
      return fmt::format("the lengths of the ranks do not match: rank {} sent {} bytes, rank {} expects {}",
                         one, trouble.bytes[0], other, trouble.bytes[1]);
    case Broken::unreadable:
      return fmt::format("rank {} could not read what rank {} sends: its buffer may have been unmapped", one,
                         other);
    case Broken::no:
    case Broken::death:
    case Broken::mismatch:
      break;
  }
  if (!trouble.known) {
    // They differed too long ago, or in what only their members have seen.
    return fmt::format("the calls of rank {} and of others do not match; which ones is not known here",
                       other);
  }
  return fmt::format("the calls of the ranks do not match: rank {} called {}, rank {} called {}", one,
                     describe_call(trouble.calls[0]), other, describe_call(trouble.calls[1]));
}

int class_of(const engine::Trouble& trouble) {
  if (trouble.why == Broken::mismatch) return MPI_ERR_NOT_SAME;
  return trouble.why == Broken::length ? MPI_ERR_TRUNCATE : MPI_ERR_OTHER;
}

}  // namespace

void fail(const engine::Trouble& trouble, const shm::Error& error) {
  if (error.code != shm::Errc::disagreement) fail(error);
  fail(class_of(trouble), describe(trouble) + "; the communicator cannot be used any more");
}

void fail(const engine::Team& team, const shm::Error& error) { fail(team.agreement().trouble(), error); }

}  // namespace foldlane::api
