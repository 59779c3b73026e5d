#include "api/core/world.hpp"

#include <mpi.h>

#include "api/core/failure.hpp"
#include "api/core/maker.hpp"

namespace foldlane::api {

namespace reject {

void phase() {
  if (world.phase == Phase::before_init) fail(MPI_ERR_OTHER, "called before MPI_Init");
  fail(MPI_ERR_OTHER, "called after MPI_Finalize");
}

void library_phase() {
  if (world.library == Phase::finalized && world.phase == Phase::before_init)
    fail(MPI_ERR_OTHER, "called after the last session was finalized");
  phase();
}

}  // namespace reject

bool is_thread_level(int level) noexcept {
  return level == MPI_THREAD_SINGLE || level == MPI_THREAD_FUNNELED || level == MPI_THREAD_SERIALIZED ||
         level == MPI_THREAD_MULTIPLE;
}

constinit thread_local const char* maker = nullptr;

World world{{}, {}, nullptr, false, MPI_THREAD_SINGLE, {}};

}  // namespace foldlane::api
