// MPI_Scan, MPI_Exscan.
#include "api/args.hpp"
#include "api/calls.hpp"
#include "api/op.hpp"
#include "engine/collectives.hpp"

namespace foldlane::api {
namespace {

int fold_prefix(Call call, engine::Prefix prefix, const void* send, void* recv, MPI_Count count,
                MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return run(call, comm, [&] {
    const Communicator& communicator = check_communicator(comm);
    if (communicator.is_inter) fail(MPI_ERR_COMM, "prefixes are not defined on intercommunicators");
    const Datatype& type = check_datatype(datatype);
    const std::size_t bytes = check_vector(count, type);
    const Reducer reducer(op, datatype, type);
    engine::Team& team = *communicator.team;
    // The receive buffer of an exclusive prefix means nothing at rank 0, unless it is the input.
    const bool receives = prefix == engine::Prefix::inclusive || team.rank() > 0;
    const void* input = check_buffers(send, bytes, recv, receives || send == MPI_IN_PLACE ? bytes : 0);
    require(team, engine::scan(team, input, recv, static_cast<std::size_t>(count), *reducer, prefix));
  });
}

}  // namespace

int scan(Call call, const void* send, void* recv, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
         MPI_Comm comm) {
  return fold_prefix(call, engine::Prefix::inclusive, send, recv, count, datatype, op, comm);
}

int exscan(Call call, const void* send, void* recv, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
           MPI_Comm comm) {
  return fold_prefix(call, engine::Prefix::exclusive, send, recv, count, datatype, op, comm);
}

}  // namespace foldlane::api
