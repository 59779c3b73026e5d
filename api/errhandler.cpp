// MPI_Comm_get_errhandler, MPI_Comm_set_errhandler, MPI_Errhandler_free, with the predefined error handlers.
#include <fmt/format.h>

#include <array>

#include "api/args.hpp"
#include "api/calls.hpp"

namespace foldlane::api {
namespace {

constexpr std::size_t kHandlerCount = 3;

std::uintptr_t handler_index(MPI_Errhandler handler) {
  return reinterpret_cast<std::uintptr_t>(handler) - reinterpret_cast<std::uintptr_t>(MPI_ERRORS_ARE_FATAL);
}

// A handler returned by MPI_Comm_get_errhandler is to be freed as if it were new, even a predefined one. This
// counts how often that may happen.
std::array<long, kHandlerCount> borrowed{};

void check_handler(MPI_Errhandler handler) {
  if (handler == MPI_ERRHANDLER_NULL) fail(MPI_ERR_ERRHANDLER, "the error handler is MPI_ERRHANDLER_NULL");
  if (handler_index(handler) >= kHandlerCount) {
    fail(MPI_ERR_ERRHANDLER,
         fmt::format(
             "the error handler {} is none of MPI_ERRORS_ARE_FATAL, MPI_ERRORS_ABORT, MPI_ERRORS_RETURN",
             fmt::ptr(handler)));
  }
}

}  // namespace

int comm_get_errhandler(Call call, MPI_Comm comm, MPI_Errhandler* errhandler) {
  return run(call, comm, [&] {
    const Communicator& communicator = check_communicator(comm);
    *check_output(errhandler, "errhandler") = communicator.errhandler;
    ++borrowed[handler_index(communicator.errhandler)];
  });
}

int comm_set_errhandler(Call call, MPI_Comm comm, MPI_Errhandler errhandler) {
  return run(call, comm, [&] {
    Communicator& communicator = check_communicator(comm);
    check_handler(errhandler);
    communicator.errhandler = errhandler;
  });
}

int errhandler_free(Call call, MPI_Errhandler* errhandler) {
  return run(call, [&] {
    check_handler(*check_output(errhandler, "errhandler"));
    long& count = borrowed[handler_index(*errhandler)];
    if (count == 0) {
      fail(MPI_ERR_ERRHANDLER,
           "a predefined error handler is freed only after MPI_Comm_get_errhandler returned it");
    }
    --count;
    *errhandler = MPI_ERRHANDLER_NULL;
  });
}

}  // namespace foldlane::api
