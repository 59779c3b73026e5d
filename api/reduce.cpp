// MPI_Reduce.
#include "api/args.hpp"
#include "api/calls.hpp"
#include "api/op.hpp"
#include "api/rooted.hpp"
#include "engine/collectives.hpp"

namespace foldlane::api {
namespace {

void reduce_between(const Communicator& inter, const void* send, void* recv, MPI_Count count,
                    MPI_Datatype datatype, MPI_Op op, int root) {
  engine::Team& team = *inter.team;
  const engine::Part part = check_part(inter, root);
  if (part.role == engine::Part::bystander) {  // its other arguments mean nothing
    return require(team, engine::reduce_between(team, inter.sides(), part, nullptr, nullptr, 0, {}));
  }
  const Datatype& type = check_datatype(datatype);
  const std::size_t bytes = check_vector(count, type);
  const Reducer reducer(op, datatype, type);
  const bool receives = part.role == engine::Part::root;
  check_buffer(receives ? recv : send, bytes, receives ? "recvbuf" : "sendbuf");
  require(team, engine::reduce_between(team, inter.sides(), part, send, recv, static_cast<std::size_t>(count),
                                       *reducer));
}

}  // namespace

int reduce(Call call, const void* send, void* recv, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
           int root, MPI_Comm comm) {
  return run(call, comm, [&] {
    const Communicator& communicator = check_communicator(comm);
    if (communicator.is_inter) [[unlikely]]
      return reduce_between(communicator, send, recv, count, datatype, op, root);
    engine::Team& team = *communicator.team;
    const Datatype& type = check_datatype(datatype);
    const std::size_t bytes = check_vector(count, type);
    const Reducer reducer(op, datatype, type);
    check_root(root, team.size());
    if (team.rank() == root) {
      send = check_buffers(send, bytes, recv, bytes);
    } else {
      check_buffer(send, bytes, "sendbuf");
      recv = nullptr;  // ignored outside the root, whatever it is
    }
    require(team, engine::reduce(team, send, recv, static_cast<std::size_t>(count), *reducer, root));
  });
}

}  // namespace foldlane::api
