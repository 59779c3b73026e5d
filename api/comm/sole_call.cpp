#include "api/comm/sole_call.hpp"

#include <fmt/format.h>

#include "api/core/failure.hpp"

namespace foldlane::api {

void SoleCall::claim(Call call, MPI_Comm comm) {
  Communicator* const communicator = find_communicator(comm);
  if (communicator == nullptr) return;  // the call itself says so
  while (!communicator->call_of_thread.claim(nullptr, call.name)) {
    const char* const other = communicator->call_of_thread.observe();
    if (other == nullptr) continue;  // it has just ended
    fail(MPI_ERR_OTHER,
         fmt::format(
             "another thread of this rank is in {} on the same communicator; MPI allows one collective "
             "call at a time there: let the threads take turns, or give each its own (MPI_Comm_dup)",
             other));
  }
  communicator_ = communicator;
}

}  // namespace foldlane::api
