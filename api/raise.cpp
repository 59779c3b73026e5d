#include "api/raise.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <utility>

#include "api/error_names.hpp"
#include "api/world.hpp"

namespace foldlane::api {
namespace {

// A program may ask for the text of an error long after other threads had theirs.
thread_local std::array<std::string, kErrorClassCount> last_messages;

int class_of(shm::Errc code) {
  switch (code) {
    case shm::Errc::no_memory:
      return MPI_ERR_NO_MEM;
    case shm::Errc::peer_failed:
      return MPI_ERR_PROC_ABORTED;
    case shm::Errc::invalid:
    case shm::Errc::system:
    case shm::Errc::bad_segment:
      break;
  }
  return MPI_ERR_OTHER;
}

std::string describe(Call call, const Communicator* communicator, const Failure& failure) {
  if (communicator == nullptr) return fmt::format("{}: {}", call.name, failure.message);
  return fmt::format("{} on {}: {}", call.name, communicator->name, failure.message);
}

int remember(const Failure& failure, std::string message) {
  last_messages[static_cast<std::size_t>(class_index(failure.error_class))] = std::move(message);
  return failure.error_class;
}

// When a peer has died, the launcher names the culprit once instead of every survivor.
bool told_by_launcher(const Failure& failure) {
  return failure.error_class == MPI_ERR_PROC_ABORTED && engine::Job::launched();
}

[[noreturn]] void die(const Failure& failure, const std::string& message) {
  if (told_by_launcher(failure)) terminate(failure.error_class, "");
  terminate(failure.error_class,
            fmt::format("{}{} ({})\n", line_prefix(), message, error_name(failure.error_class)));
}

}  // namespace

void fail(int error_class, std::string message) { throw Failure{error_class, std::move(message)}; }

void fail(const shm::Error& error) { fail(class_of(error.code), error.message); }

int raise(Call call, MPI_Comm comm, const Failure& failure) {
  const Communicator* named = find_communicator(comm);
  std::string message = describe(call, named, failure);
  const Communicator* owner = named != nullptr ? named : find_communicator(MPI_COMM_SELF);
  if (owner == nullptr || owner->errhandler != MPI_ERRORS_RETURN) die(failure, message);
  return remember(failure, std::move(message));
}

int raise_returning(Call call, const Failure& failure) {
  return remember(failure, describe(call, nullptr, failure));
}

const std::string& last_message(int error_class) noexcept {
  return last_messages[static_cast<std::size_t>(class_index(error_class))];
}

void terminate(int code, const std::string& line) {
  std::fflush(nullptr);
  // One write, so that the lines of several ranks do not mix. Nothing is left to do if it fails.
  if (!line.empty() && write(STDERR_FILENO, line.data(), line.size()) < 0) code = MPI_ERR_IO;
  if (world.job != nullptr) world.job->announce_abort(code);
  // Neither exit handlers nor destructors: they could wait for peers that are about to be killed.
  _exit(code);
}

std::string line_prefix() {
  if (world.phase != Phase::active) return "foldlane: ";
  return fmt::format("foldlane: rank {}: ", world.job->rank());
}

}  // namespace foldlane::api
