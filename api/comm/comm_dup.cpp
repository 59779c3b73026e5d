// MPI_Comm_dup, MPI_Comm_dup_with_info.
#include "api/comm/comm_dup.hpp"

#include <utility>

#include "api/core/calls.hpp"
#include "api/errors/args.hpp"
#include "api/group/group.hpp"
#include "api/info/info.hpp"

namespace foldlane::api {
namespace {

void copy_attributes(const Communicator& from, MPI_Comm old_handle, MPI_Comm new_handle) {
  Communicator& to = *communicators.find(new_handle);
  const int code = from.attributes.duplicate_into(old_handle, to.attributes);
  if (code == MPI_SUCCESS) return;
  // Only this process knows that the copy has failed: peers that use the new communicator must hear of it.
  to.team->give_up(engine::Broken::operation);
  static_cast<void>(to.attributes.destroy(new_handle));
  communicators.erase(new_handle);
  check_callbacks(code);
}

MPI_Comm duplicate(MPI_Comm comm, InfoMap info) {
  const Communicator& from = check_communicator(comm);
  auto team = world.job->founding().found(*from.team, from.team->members(), engine::Call::duplicate);
  if (!team.ok()) fail(*from.team, team.error());
  return new_duplicate(comm, std::move(team.value()), std::move(info));
}

}  // namespace

MPI_Comm new_duplicate(MPI_Comm comm, std::unique_ptr<engine::Team> team, InfoMap info) {
  const Communicator& from = check_communicator(comm);
  const MPI_Comm handle = new_communicator(std::move(team), group_of(from), from.remote_group, from);
  communicators.find(handle)->info = std::move(info);
  copy_attributes(from, comm, handle);
  return handle;
}

// Hints are not copied since MPI-4.0.
int comm_dup(Call call, MPI_Comm comm, MPI_Comm* newcomm) {
  return run(call, comm, [&] {
    check_communicator(comm);
    *check_output(newcomm, "newcomm") = duplicate(comm, {});
  });
}

int comm_dup_with_info(Call call, MPI_Comm comm, MPI_Info info, MPI_Comm* newcomm) {
  return run(call, comm, [&] {
    check_communicator(comm);
    *check_output(newcomm, "newcomm") = duplicate(comm, check_info(info));
  });
}

}  // namespace foldlane::api
