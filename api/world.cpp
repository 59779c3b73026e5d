#include "api/world.hpp"

namespace foldlane::api {

World world{
    Phase::before_init,
    nullptr,
    MPI_THREAD_SINGLE,
    {},
    {{{"MPI_COMM_WORLD", nullptr, MPI_ERRORS_ARE_FATAL}, {"MPI_COMM_SELF", nullptr, MPI_ERRORS_ARE_FATAL}}}};

}  // namespace foldlane::api
