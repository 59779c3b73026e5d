// MPI_Bcast.
#include "api/args.hpp"
#include "api/calls.hpp"
#include "api/op.hpp"
#include "api/rooted.hpp"
#include "engine/collectives.hpp"

namespace foldlane::api {
namespace {

engine::Message check_message(void* buffer, MPI_Count count, const Datatype& type) {
  check_committed(type);
  const std::size_t bytes = check_vector(count, type);
  check_buffer(buffer, bytes, "buffer");
  const engine::Signature whole = engine::repeated(type.signature, static_cast<std::uint64_t>(count));
  // Without the padding of pairs: others may pass structures, or pairs of their own.
  if (type.dense()) return {buffer, bytes, nullptr, type_code(whole)};
  const auto packed = static_cast<std::size_t>(count) * static_cast<std::size_t>(type.size);
  return {buffer, packed, type.layout.get(), type_code(whole)};
}

}  // namespace

int bcast(Call call, void* buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  return run(call, comm, [&] {
    const Communicator& communicator = check_communicator(comm);
    engine::Team& team = *communicator.team;
    if (communicator.is_inter) [[unlikely]] {
      const engine::Part part = check_part(communicator, root);
      engine::Message message{};
      if (part.role != engine::Part::bystander)
        message = check_message(buffer, count, check_datatype(datatype));
      return require(team, engine::bcast_between(team, communicator.sides(), part, message));
    }
    const Datatype& type = check_datatype(datatype);
    check_root(root, team.size());
    const engine::Message message = check_message(buffer, count, type);
    require(team, engine::bcast(team, message, root));
  });
}

}  // namespace foldlane::api
