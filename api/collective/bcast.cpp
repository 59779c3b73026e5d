// MPI_Bcast, MPI_Ibcast, MPI_Bcast_init.
#include "api/collective/form.hpp"
#include "api/collective/move.hpp"
#include "api/collective/rooted.hpp"
#include "api/core/calls.hpp"

namespace foldlane::api {
namespace {

engine::Message check_message(void* buffer, MPI_Count count, const Datatype& type) {
  check_committed(type);
  const std::size_t bytes = check_vector(count, type);
  check_buffer(buffer, bytes, "buffer");
  const engine::Signature whole = engine::repeated(type.signature, static_cast<std::uint64_t>(count));
  // Without the padding of pairs: others may pass structures, or pairs of their own.
  if (type.dense()) return {buffer, bytes, nullptr, type_code(whole), {}};
  const auto packed = static_cast<std::size_t>(count) * static_cast<std::size_t>(type.size);
  return {buffer, packed, type.type_map.get(), type_code(whole), {}};
}

engine::Collective describe(const engine::Message& message, int root) {
  return {.call = engine::Call::bcast,
          .recv = static_cast<std::byte*>(message.buffer),
          .count = message.bytes,
          .root = root,
          .type_map = message.type_map,
          .type = message.type,
          .mail = message.mail};
}

/// A dense buffer is described by its length alone.
const std::shared_ptr<const engine::TypeMap>* kept_map(const engine::Message& message, const Datatype& type) {
  return message.type_map == nullptr ? nullptr : &type.type_map;
}

template <class Form>
void bcast_between(const Form& form, const Communicator& inter, void* buffer, MPI_Count count,
                   MPI_Datatype datatype, int root) {
  const engine::Part part = check_part(inter, root);
  Kept kept;
  engine::Message message{};
  if (part.role != engine::Part::bystander) {
    const Datatype& type = check_datatype(datatype);
    message = check_message(buffer, count, type);
    kept.type_map = kept_map(message, type);
  }
  engine::Collective described = describe(message, 0);
  described.sides = inter.sides();
  described.part = part;
  form(*inter.team, described, [&] { return kept; });
}

template <class Form>
void bcast_as(const Form& form, void* buffer, MPI_Count count, MPI_Datatype datatype, int root,
              MPI_Comm comm) {
  Communicator& communicator = check_communicator(comm);
  if (communicator.is_inter) [[unlikely]]
    return bcast_between(form, communicator, buffer, count, datatype, root);
  engine::Team& team = *communicator.team;
  const Datatype& type = check_datatype(datatype);
  check_root(root, team.size());
  engine::Message message = check_message(buffer, count, type);
  if (engine::may_go_by_message(team, message.bytes)) message.mail = mail_on(communicator, comm);
  form(
      team, [&] { return engine::bcast(team, message, root); }, [&] { return describe(message, root); },
      [&] { return Kept{.type_map = kept_map(message, type)}; });
}

}  // namespace

int bcast(Call call, void* buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  return run(call, comm, [&] { bcast_as(Blocking(call, comm), buffer, count, datatype, root, comm); });
}

int ibcast(Call call, void* buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm,
           MPI_Request* request) {
  return run_nonblocking(call, comm, request,
                         [&](const auto& form) { bcast_as(form, buffer, count, datatype, root, comm); });
}

int bcast_init(Call call, void* buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm,
               MPI_Info info, MPI_Request* request) {
  return run_init(call, comm, info, request,
                  [&](const auto& form) { bcast_as(form, buffer, count, datatype, root, comm); });
}

}  // namespace foldlane::api
