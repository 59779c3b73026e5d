// MPI_Allreduce.
#include "api/args.hpp"
#include "api/calls.hpp"
#include "api/op.hpp"
#include "engine/collectives.hpp"

namespace foldlane::api {

int allreduce(Call call, const void* send, void* recv, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
              MPI_Comm comm) {
  return run(call, comm, [&] {
    const Communicator& communicator = check_communicator(comm);
    engine::Team& team = *communicator.team;
    const Datatype& type = check_datatype(datatype);
    const std::size_t bytes = check_vector(count, type);
    const Reducer reducer(op, datatype, type);
    const auto elements = static_cast<std::size_t>(count);
    if (communicator.is_inter) [[unlikely]] {
      check_separate_buffers(send, bytes, recv, bytes);
      const engine::Sides sides = communicator.sides();
      return require(team, engine::allreduce_between(team, sides, send, recv, elements, *reducer));
    }
    const void* input = check_buffers(send, bytes, recv, bytes);
    require(team, engine::allreduce(team, input, recv, elements, *reducer));
  });
}

}  // namespace foldlane::api
