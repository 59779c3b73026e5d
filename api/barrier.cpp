// MPI_Barrier.
#include "api/args.hpp"
#include "api/calls.hpp"
#include "engine/collectives.hpp"

namespace foldlane::api {

int barrier(Call call, MPI_Comm comm) {
  return run(call, comm, [&] {
    engine::Team& team = *check_communicator(comm).team;
    require(team, engine::barrier(team));
  });
}

}  // namespace foldlane::api
