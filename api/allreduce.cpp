// MPI_Allreduce.
#include "api/args.hpp"
#include "api/calls.hpp"
#include "api/op.hpp"
#include "engine/collectives.hpp"

namespace foldlane::api {

int allreduce(Call call, const void* send, void* recv, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
              MPI_Comm comm) {
  return run(call, comm, [&] {
    engine::Team& team = *check_communicator(comm).team;
    const Datatype& type = check_datatype(datatype);
    const std::size_t bytes = check_count(count, type);
    const Reducer reducer(op, datatype, type);
    const void* input = check_buffers(send, bytes, recv, bytes);
    require(engine::allreduce(team, input, recv, static_cast<std::size_t>(count), *reducer));
  });
}

}  // namespace foldlane::api
