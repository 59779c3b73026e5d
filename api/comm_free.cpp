// MPI_Comm_free, MPI_Comm_disconnect. All communication here is finished when its call returns, so they are
// the same.
#include "api/args.hpp"
#include "api/calls.hpp"

namespace foldlane::api {
namespace {

void part_from(MPI_Comm* comm) {
  Communicator& communicator = check_communicator(*comm);
  engine::Team* const team = communicator.owned_team.get();
  if (team == nullptr) fail(MPI_ERR_COMM, name_of(communicator) + " is predefined and cannot be freed");
  check_callbacks(communicator.attributes.destroy(*comm));
  *comm = MPI_COMM_NULL;
  require(*team, world.job->founding().dissolve(*team));
}

/// Where the members turn out to disagree, the communicator's own error handler hears of it before it goes.
int release(Call call, MPI_Comm* comm) {
  const MPI_Comm handle = comm == nullptr ? MPI_COMM_NULL : *comm;
  const int code = run(call, handle, [&] { part_from(check_output(comm, "comm")); });
  if (comm != nullptr && *comm != handle) communicators.erase(handle);
  return code;
}

}  // namespace

int comm_free(Call call, MPI_Comm* comm) { return release(call, comm); }

int comm_disconnect(Call call, MPI_Comm* comm) { return release(call, comm); }

}  // namespace foldlane::api
