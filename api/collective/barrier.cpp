// MPI_Barrier, MPI_Ibarrier, MPI_Barrier_init.
#include "api/collective/form.hpp"
#include "api/core/calls.hpp"

namespace foldlane::api {
namespace {

template <class Form>
void barrier_as(const Form& form, MPI_Comm comm) {
  engine::Team& team = *check_communicator(comm).team;
  form(
      team, [&] { return engine::barrier(team); },
      [] { return engine::Collective{.call = engine::Call::barrier}; }, [] { return Kept{}; });
}

}  // namespace

int barrier(Call call, MPI_Comm comm) {
  return run(call, comm, [&] { barrier_as(Blocking(call, comm), comm); });
}

int ibarrier(Call call, MPI_Comm comm, MPI_Request* request) {
  return run_nonblocking(call, comm, request, [&](const auto& form) { barrier_as(form, comm); });
}

int barrier_init(Call call, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return run_init(call, comm, info, request, [&](const auto& form) { barrier_as(form, comm); });
}

}  // namespace foldlane::api
