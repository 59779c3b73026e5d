// MPI_Comm_rank, MPI_Comm_size.
#include "api/args.hpp"
#include "api/calls.hpp"

namespace foldlane::api {

int comm_rank(Call call, MPI_Comm comm, int* rank) {
  return run(call, comm, [&] {
    const Communicator& communicator = check_communicator(comm);
    *check_output(rank, "rank") = communicator.team->rank();
  });
}

int comm_size(Call call, MPI_Comm comm, int* size) {
  return run(call, comm, [&] {
    const Communicator& communicator = check_communicator(comm);
    *check_output(size, "size") = communicator.team->size();
  });
}

}  // namespace foldlane::api
