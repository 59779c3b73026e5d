#include "api/world.hpp"

namespace foldlane::api {
namespace {

ErrorHandlerSlot slot(MPI_Errhandler predefined) {
  return ErrorHandlerSlot(predefined_error_handler(predefined));
}

}  // namespace

World world{Phase::before_init,
            nullptr,
            MPI_THREAD_SINGLE,
            {},
            {{{"MPI_COMM_WORLD", nullptr, slot(MPI_ERRORS_ARE_FATAL)},
              {"MPI_COMM_SELF", nullptr, slot(MPI_ERRORS_ARE_FATAL)}}},
            slot(MPI_ERRORS_RETURN)};

}  // namespace foldlane::api
