// The way of an error: a check throws a Failure, the boundary of the call catches it and raises it through
// the error handler of the communicator.
#pragma once

#include <mpi.h>

#include <new>
#include <string>

#include "api/core/call.hpp"
#include "api/core/failure.hpp"

namespace foldlane::api {

struct ErrorHandler;

/// Handles the failure as the error handler of the object says; that of MPI_COMM_SELF if the handle is no
/// communicator or session or if it is a window (none exist); that of MPI_FILE_NULL for files. Returns the
/// code if the handler returns; what a handler of the program throws passes through.
[[gnu::cold]] int raise(Call call, MPI_Comm comm, const Failure& failure);
[[gnu::cold]] int raise(Call call, MPI_Session session, const Failure& failure);
[[gnu::cold]] int raise(Call call, MPI_File file, const Failure& failure);
[[gnu::cold]] int raise(Call call, MPI_Win win, const Failure& failure);

/// An object that a call is about to make: errors of the call go to the error handler it would get.
template <class Handle>
struct Unborn {
  Handle null;
  MPI_Errhandler errhandler;
};
/// For communicators and sessions. An error handler that does not fit is passed over.
template <class Handle>
[[gnu::cold]] int raise(Call call, Unborn<Handle> object, const Failure& failure);

/// For the tool interface, which has no error handlers.
[[gnu::cold]] int raise_returning(Call call, const Failure& failure);

/// Gives an error that the program found itself to `handler`.
void report(Call call, MPI_Comm comm, const ErrorHandler& handler, int code);
void report(Call call, MPI_Session session, const ErrorHandler& handler, int code);
void report(Call call, MPI_File file, const ErrorHandler& handler, int code);

/// On stderr in one write, so that the lines of several ranks do not mix. False if that fails.
bool print_line(const std::string& line);

/// Ends the process after one line on stderr (none if `line` is empty), and with it the job. The exit code is
/// `code`, but never 0 if `code` is not.
[[noreturn]] void terminate(int code, const std::string& line);

/// "foldlane: rank 2: "; without the rank while the library cannot be used.
std::string line_prefix();

/// The boundary of every implementation that can fail; `object` is where errors are raised. Inline, so that
/// the arguments of the call stay in registers.
template <class Handle, class Body>
[[gnu::always_inline]] inline int run(Call call, Handle object, const Body& body) {
  try {
    body();
    return MPI_SUCCESS;
  } catch (const Failure& failure) {
    return raise(call, object, failure);
  } catch (const std::bad_alloc&) {
    return raise(call, object, {MPI_ERR_NO_MEM, "out of memory"});
  }
}

/// The same for calls without a communicator.
template <class Body>
[[gnu::always_inline]] inline int run(Call call, const Body& body) {
  return run(call, MPI_COMM_NULL, body);
}

}  // namespace foldlane::api
