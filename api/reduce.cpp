// MPI_Reduce.
#include "api/args.hpp"
#include "api/calls.hpp"
#include "api/op.hpp"
#include "engine/collectives.hpp"

namespace foldlane::api {

int reduce(Call call, const void* send, void* recv, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
           int root, MPI_Comm comm) {
  return run(call, comm, [&] {
    engine::Team& team = *check_communicator(comm).team;
    const Datatype& type = check_datatype(datatype);
    const std::size_t bytes = check_count(count, type);
    const Reducer reducer(op, datatype, type);
    check_root(root, team.size());
    if (team.rank() == root) {
      send = check_buffers(send, bytes, recv, bytes);
    } else {
      check_buffer(send, bytes, "sendbuf");
      recv = nullptr;  // ignored outside the root, whatever it is
    }
    require(engine::reduce(team, send, recv, static_cast<std::size_t>(count), *reducer, root));
  });
}

}  // namespace foldlane::api
