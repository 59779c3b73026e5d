#include "api/core/world.hpp"

namespace foldlane::api {
namespace {

ErrorHandlerSlot slot(MPI_Errhandler predefined) {
  return ErrorHandlerSlot(predefined_error_handler(predefined));
}

}  // namespace

bool is_thread_level(int level) noexcept {
  return level == MPI_THREAD_SINGLE || level == MPI_THREAD_FUNNELED || level == MPI_THREAD_SERIALIZED ||
         level == MPI_THREAD_MULTIPLE;
}

World world{{},
            {},
            nullptr,
            false,
            MPI_THREAD_SINGLE,
            {},
            {{{nullptr, false, "MPI_COMM_WORLD", slot(MPI_ERRORS_ARE_FATAL)},
              {nullptr, false, "MPI_COMM_SELF", slot(MPI_ERRORS_ARE_FATAL)}}},
            slot(MPI_ERRORS_RETURN)};

}  // namespace foldlane::api
