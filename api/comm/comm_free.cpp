// MPI_Comm_free, MPI_Comm_disconnect. Both are local here: what is under way on the communicator goes on, and
// its team goes away when no member has any use for it. Only what lies in a buffer of the program's that is
// attached to it is waited for.
#include <utility>

#include "api/attributes/attribute_calls.hpp"
#include "api/core/calls.hpp"
#include "api/errors/args.hpp"
#include "api/objects/communicator.hpp"

namespace foldlane::api {
namespace {

void part_from(MPI_Comm* comm) {
  Communicator& communicator = check_communicator(*comm);
  if (communicator.owned_team == nullptr)
    fail(MPI_ERR_COMM, name_of(communicator) + " is predefined and cannot be freed");
  check_callbacks(communicator.attributes.destroy(*comm));
  communicator.send_buffer.clear();
  communicators.erase(std::exchange(*comm, MPI_COMM_NULL));
}

int release(Call call, MPI_Comm* comm) {
  return run(call, comm == nullptr ? MPI_COMM_NULL : *comm, [&] { part_from(check_output(comm, "comm")); });
}

}  // namespace

int comm_free(Call call, MPI_Comm* comm) { return release(call, comm); }

int comm_disconnect(Call call, MPI_Comm* comm) { return release(call, comm); }

}  // namespace foldlane::api
