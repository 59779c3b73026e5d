// MPI_Comm_free, MPI_Comm_disconnect. All communication here is finished when its call returns, so they are
// the same.
#include <utility>

#include "api/args.hpp"
#include "api/calls.hpp"

namespace foldlane::api {
namespace {

void release(MPI_Comm* comm) {
  Communicator& communicator = check_communicator(*check_output(comm, "comm"));
  if (communicator.owned_team == nullptr)
    fail(MPI_ERR_COMM, name_of(communicator) + " is predefined and cannot be freed");
  check_callbacks(communicator.attributes.destroy(*comm));
  std::unique_ptr<engine::Team> team = std::move(communicator.owned_team);
  communicators.erase(*comm);
  *comm = MPI_COMM_NULL;
  world.job->founding().dissolve(std::move(team));
}

}  // namespace

int comm_free(Call call, MPI_Comm* comm) {
  return run(call, comm == nullptr ? MPI_COMM_NULL : *comm, [&] { release(comm); });
}

int comm_disconnect(Call call, MPI_Comm* comm) {
  return run(call, comm == nullptr ? MPI_COMM_NULL : *comm, [&] { release(comm); });
}

}  // namespace foldlane::api
