// One collective call of a process at a time on a communicator (MPI-4.1, 11.6.2: threads that break this have
// no order that the other ranks could know). Who comes second gets an error instead of waiting for ever or
// worse.
#pragma once

#include <mpi.h>

#include "api/core/call.hpp"
#include "api/core/world.hpp"
#include "api/objects/communicator.hpp"

namespace foldlane::api {

/// From the start to the end of the call; of a nonblocking one, while it is started. With one thread in the
/// library it costs a branch.
class SoleCall {
 public:
  /// Throws MPI_ERR_OTHER with the names of both calls. `comm` may be anything.
  SoleCall(Call call, MPI_Comm comm) {
    if (world.has_threads) [[unlikely]]
      claim(call, comm);
  }
  SoleCall(const SoleCall&) = delete;
  SoleCall& operator=(const SoleCall&) = delete;
  ~SoleCall() {
    if (communicator_ != nullptr) [[unlikely]]
      communicator_->call_of_thread.publish(nullptr);
  }

 private:
  [[gnu::noinline]] void claim(Call call, MPI_Comm comm);

  Communicator* communicator_ = nullptr;
};

}  // namespace foldlane::api
