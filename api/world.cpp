#include "api/world.hpp"

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
            MPI_THREAD_SINGLE,
            {},
            {{{"MPI_COMM_WORLD", nullptr, slot(MPI_ERRORS_ARE_FATAL)},
              {"MPI_COMM_SELF", nullptr, slot(MPI_ERRORS_ARE_FATAL)}}},
            slot(MPI_ERRORS_RETURN)};

}  // namespace foldlane::api
