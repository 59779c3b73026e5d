// MPI_Bcast.
#include "api/args.hpp"
#include "api/calls.hpp"
#include "engine/collectives.hpp"

namespace foldlane::api {

int bcast(Call call, void* buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  return run(call, comm, [&] {
    engine::Team& team = *check_communicator(comm).team;
    const Datatype& type = check_datatype(datatype);
    check_committed(type);
    if (!type.plain) fail(MPI_ERR_UNSUPPORTED_OPERATION, "datatypes with gaps are not supported yet");
    const std::size_t bytes = check_count(count, type);
    check_root(root, team.size());
    check_buffer(buffer, bytes, "buffer");
    require(engine::bcast(team, {buffer, bytes}, root));
  });
}

}  // namespace foldlane::api
