// MPI_Allreduce, MPI_Iallreduce, MPI_Allreduce_init.
#include "api/collective/form.hpp"
#include "api/core/calls.hpp"

namespace foldlane::api {
namespace {

template <class Form>
void allreduce_as(const Form& form, const void* send, void* recv, MPI_Count count, MPI_Datatype datatype,
                  MPI_Op op, MPI_Comm comm) {
  const Communicator& communicator = check_communicator(comm);
  engine::Team& team = *communicator.team;
  const Datatype& type = check_datatype(datatype);
  const std::size_t bytes = check_vector(count, type);
  const Reducer reducer(op, datatype, type);
  const auto elements = static_cast<std::size_t>(count);
  const auto keep = [&] { return kept_for(reducer, op, datatype, type); };
  if (communicator.is_inter) [[unlikely]] {
    check_separate_buffers(send, bytes, recv, bytes);
    auto described = engine::fold_call(engine::Call::allreduce, send, recv, elements, *reducer);
    described.sides = communicator.sides();
    return form(team, described, keep);
  }
  const void* input = check_buffers(send, bytes, recv, bytes);
  form(
      team, [&] { return engine::allreduce(team, input, recv, elements, *reducer); },
      [&] { return engine::fold_call(engine::Call::allreduce, input, recv, elements, *reducer); }, keep);
}

}  // namespace

int allreduce(Call call, const void* send, void* recv, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
              MPI_Comm comm) {
  return run(call, comm, [&] { allreduce_as(Blocking(call, comm), send, recv, count, datatype, op, comm); });
}

int iallreduce(Call call, const void* send, void* recv, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
               MPI_Comm comm, MPI_Request* request) {
  return run_nonblocking(call, comm, request, [&](const auto& form) {
    allreduce_as(form, send, recv, count, datatype, op, comm);
  });
}

int allreduce_init(Call call, const void* send, void* recv, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                   MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return run_init(call, comm, info, request,
                  [&](const auto& form) { allreduce_as(form, send, recv, count, datatype, op, comm); });
}

}  // namespace foldlane::api
