// MPI_Topo_test, MPI_Comm_get_parent: local questions that programs ask of every communicator.
#include "api/core/calls.hpp"
#include "api/errors/args.hpp"
#include "api/objects/communicator.hpp"

namespace foldlane::api {

int topo_test(Call call, MPI_Comm comm, int* status) {
  return run(call, comm, [&] {
    check_communicator(comm);
    *check_output(status, "status") = MPI_UNDEFINED;  // no call makes a topology yet
  });
}

int comm_get_parent(Call call, MPI_Comm* parent) {
  return run(call, [&] {
    check_active();
    *check_output(parent, "parent") = MPI_COMM_NULL;  // nobody was spawned
  });
}

}  // namespace foldlane::api
