// MPI_Reduce, MPI_Ireduce, MPI_Reduce_init.
#include "api/collective/form.hpp"
#include "api/collective/rooted.hpp"
#include "api/core/calls.hpp"

namespace foldlane::api {
namespace {

/// What a bystander knows of the operation.
constexpr engine::Reduction kUnknown{};

template <class Form>
void reduce_between(const Form& form, const Communicator& inter, const void* send, void* recv,
                    MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root) {
  engine::Team& team = *inter.team;
  auto described = engine::fold_call(engine::Call::reduce, nullptr, nullptr, 0, kUnknown);
  described.sides = inter.sides();
  described.part = check_part(inter, root);
  if (described.part.role == engine::Part::bystander)  // its other arguments mean nothing
    return form(team, described, [] { return Kept{}; });
  const Datatype& type = check_datatype(datatype);
  const std::size_t bytes = check_vector(count, type);
  const Reducer reducer(op, datatype, type);
  const bool receives = described.part.role == engine::Part::root;
  check_buffer(receives ? recv : send, bytes, receives ? "recvbuf" : "sendbuf");
  described.send = static_cast<const std::byte*>(send);
  described.recv = static_cast<std::byte*>(recv);
  described.count = static_cast<std::size_t>(count);
  described.reduction = &*reducer;
  form(team, described, [&] { return kept_for(reducer, op, datatype, type); });
}

template <class Form>
void reduce_as(const Form& form, const void* send, void* recv, MPI_Count count, MPI_Datatype datatype,
               MPI_Op op, int root, MPI_Comm comm) {
  const Communicator& communicator = check_communicator(comm);
  if (communicator.is_inter) [[unlikely]]
    return reduce_between(form, communicator, send, recv, count, datatype, op, root);
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
  const auto elements = static_cast<std::size_t>(count);
  const auto describe = [&] {
    auto described = engine::fold_call(engine::Call::reduce, send, recv, elements, *reducer);
    described.root = root;
    return described;
  };
  form(
      team, [&] { return engine::reduce(team, send, recv, elements, *reducer, root); }, describe,
      [&] { return kept_for(reducer, op, datatype, type); });
}

}  // namespace

int reduce(Call call, const void* send, void* recv, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
           int root, MPI_Comm comm) {
  return run(call, comm,
             [&] { reduce_as(Blocking(call, comm), send, recv, count, datatype, op, root, comm); });
}

int ireduce(Call call, const void* send, void* recv, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
            int root, MPI_Comm comm, MPI_Request* request) {
  return run_nonblocking(call, comm, request, [&](const auto& form) {
    reduce_as(form, send, recv, count, datatype, op, root, comm);
  });
}

int reduce_init(Call call, const void* send, void* recv, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                int root, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return run_init(call, comm, info, request,
                  [&](const auto& form) { reduce_as(form, send, recv, count, datatype, op, root, comm); });
}

}  // namespace foldlane::api
