#include "api/world.hpp"

namespace foldlane::api {

bool is_thread_level(int level) noexcept {
  return level == MPI_THREAD_SINGLE || level == MPI_THREAD_FUNNELED || level == MPI_THREAD_SERIALIZED ||
         level == MPI_THREAD_MULTIPLE;
}

World world{
    Phase::before_init,
    nullptr,
    MPI_THREAD_SINGLE,
    {},
    {{{"MPI_COMM_WORLD", nullptr, MPI_ERRORS_ARE_FATAL}, {"MPI_COMM_SELF", nullptr, MPI_ERRORS_ARE_FATAL}}}};

}  // namespace foldlane::api
