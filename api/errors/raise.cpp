#include "api/errors/raise.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "api/core/world.hpp"
#include "api/errors/error_codes.hpp"
#include "api/errors/last_message.hpp"
#include "api/objects/communicator.hpp"
#include "api/objects/error_handler.hpp"
#include "api/objects/session.hpp"
#include "engine/identity/launchers.hpp"

namespace foldlane::api {
namespace {

std::string describe(Call call, const std::string& object, const std::string& message) {
  if (object.empty()) return fmt::format("{}: {}", call.name, message);
  return fmt::format("{} on {}: {}", call.name, object, message);
}

std::string name_or_nothing(const Communicator* communicator, MPI_Comm handle) {
  return communicator != nullptr ? describe(*communicator, handle) : "";
}

// When a peer has died, the launcher names the culprit once instead of every survivor.
bool told_by_launcher(int code) { return code == MPI_ERR_PROC_ABORTED && engine::is_launched(); }

// Foreign launchers report the code of any rank, as that of a rank's abort.
int exit_code_of(int code) {
  if (code != MPI_ERR_PROC_ABORTED || world.job == nullptr) return code;
  return engine::code_of_abort(world.job->process()).value_or(code);
}

[[noreturn]] void die(int code, const std::string& message) {
  if (told_by_launcher(code)) terminate(code, "");
  terminate(exit_code_of(code), fmt::format("{}{} ({})\n", line_prefix(), message, name_of_code(code)));
}

template <class Handle>
void handle(const ErrorHandler& handler, Handle object, int code, const std::string& message) {
  if (!handler.handle_error(object, code)) die(code, message);
}

// The message is remembered before the handler runs, which may ask for it.
template <class Handle>
int raise_on(const ErrorHandlerSlot& slot, Handle object, const Failure& failure,
             const std::string& message) {
  remember_message(failure.code, message);
  handle(*slot.load(), object, failure.code, message);
  return failure.code;
}

std::string report_message(Call call, const std::string& object, int code) {
  return describe(call, object, "the program reports " + text_of_code(code));
}

// The exit code of a process has 8 bits; an error must not look like success for the lack of the others. Nor
// must an abort with code 0 look like it to a launcher that cannot ask for more.
int exit_code(int code) {
  const int low = code & 0xff;
  return low == 0 && (code != 0 || engine::foreign_launcher() != nullptr) ? 1 : low;
}

}  // namespace

int raise(Call call, MPI_Comm comm, const Failure& failure) {
  const Communicator* named = find_communicator(comm);
  const std::string message = describe(call, name_or_nothing(named, comm), failure.message);
  if (named != nullptr) return raise_on(named->errhandler, comm, failure, message);
  const Communicator* self = find_communicator(MPI_COMM_SELF);
  if (self == nullptr) die(failure.code, message);
  return raise_on(self->errhandler, MPI_COMM_SELF, failure, message);
}

int raise(Call call, MPI_Session session, const Failure& failure) {
  const Session* const named = sessions.find(session);
  if (named == nullptr) return raise(call, MPI_COMM_NULL, failure);
  return raise_on(named->errhandler, session, failure, describe(call, "", failure.message));
}

int raise(Call call, MPI_File, const Failure& failure) {
  return raise_on(file_error_handler, MPI_FILE_NULL, failure, describe(call, "", failure.message));
}

int raise(Call call, MPI_Win, const Failure& failure) { return raise(call, MPI_COMM_NULL, failure); }

template <class Handle>
int raise(Call call, Unborn<Handle> object, const Failure& failure) {
  ErrorHandlerPointer handler;
  try {
    handler = check_error_handler_for<Handle>(object.errhandler);
  } catch (const Failure&) {
    return raise(call, MPI_COMM_NULL, failure);
  }
  return raise_on(ErrorHandlerSlot(handler), object.null, failure, describe(call, "", failure.message));
}
template int raise(Call call, Unborn<MPI_Comm> object, const Failure& failure);
template int raise(Call call, Unborn<MPI_Session> object, const Failure& failure);

int raise_returning(Call call, const Failure& failure) {
  remember_message(failure.code, describe(call, "", failure.message));
  return failure.code;
}

void report(Call call, MPI_Comm comm, const ErrorHandler& handler, int code) {
  handle(handler, comm, code, report_message(call, name_or_nothing(find_communicator(comm), comm), code));
}

void report(Call call, MPI_Session session, const ErrorHandler& handler, int code) {
  handle(handler, session, code, report_message(call, "", code));
}

void report(Call call, MPI_File file, const ErrorHandler& handler, int code) {
  handle(handler, file, code, report_message(call, "", code));
}

bool print_line(const std::string& line) { return write(STDERR_FILENO, line.data(), line.size()) >= 0; }

void terminate(int code, const std::string& line) {
  code = exit_code(code);
  std::fflush(nullptr);
  if (!line.empty() && !print_line(line)) code = MPI_ERR_IO;  // nothing else is left to do
  if (world.library == Phase::active) world.job->announce_abort(code);
  // Neither exit handlers nor destructors: they could wait for peers that are about to be killed.
  _exit(code);
}

std::string line_prefix() {
  if (world.library != Phase::active) return "foldlane: ";
  return fmt::format("foldlane: rank {}: ", world.job->rank());
}

}  // namespace foldlane::api
