// The way of an error: a check throws a Failure, the boundary of the call catches it and raises it through
// the error handler of the communicator. Exceptions, because the path without an error then holds nothing but
// compares.
#pragma once

#include <mpi.h>

#include <new>
#include <string>

#include "api/call.hpp"
#include "shm/result.hpp"

namespace foldlane::api {

struct Failure {
  int code;             // a class of the standard, or what a callback of the program returned
  std::string message;  // without the name of the call, which raise() puts in front
};

[[noreturn, gnu::cold]] void fail(int code, std::string message);

/// Throws the error of a lower layer as a Failure of the fitting class.
[[noreturn, gnu::cold]] void fail(const shm::Error& error);

inline void require(const shm::Result<void>& result) {
  if (!result.ok()) [[unlikely]]
    fail(result.error());
}

/// Handles the failure as the error handler of `comm` says; that of MPI_COMM_SELF if `comm` is no
/// communicator. Returns the error class if the handler returns.
[[gnu::cold]] int raise(Call call, MPI_Comm comm, const Failure& failure);

/// For objects whose handler is MPI_ERRORS_RETURN.
[[gnu::cold]] int raise_returning(Call call, const Failure& failure);

/// The last message raised on this thread with this class of the standard; empty if there is none. Codes of
/// the program have none: MPI_Error_string shows what the program said about them.
const std::string& last_message(int error_class) noexcept;

/// Ends the process after one line on stderr (none if `line` is empty), and with it the job. The exit code is
/// `code`, but never 0 if `code` is not.
[[noreturn]] void terminate(int code, const std::string& line);

/// "foldlane: rank 2: "; without the rank outside MPI_Init … MPI_Finalize.
std::string line_prefix();

/// The boundary of every implementation that can fail; `comm` is where errors are raised.
template <class Body>
int run(Call call, MPI_Comm comm, const Body& body) {
  try {
    body();
    return MPI_SUCCESS;
  } catch (const Failure& failure) {
    return raise(call, comm, failure);
  } catch (const std::bad_alloc&) {
    return raise(call, comm, {MPI_ERR_NO_MEM, "out of memory"});
  }
}

/// The same for calls without a communicator.
template <class Body>
int run(Call call, const Body& body) {
  return run(call, MPI_COMM_NULL, body);
}

}  // namespace foldlane::api
