// MPI_Comm_dup, MPI_Comm_dup_with_info.
#include "api/comm/comm_dup.hpp"

#include <utility>

#include "api/attributes/attribute_calls.hpp"
#include "api/comm/sole_call.hpp"
#include "api/core/calls.hpp"
#include "api/errors/args.hpp"
#include "api/group/group.hpp"
#include "api/info/info.hpp"
#include "api/op/mismatch.hpp"

namespace foldlane::api {
namespace {

engine::FoundedTeam found_duplicate(Call call, MPI_Comm comm, engine::Team& team) {
  const SoleCall sole(call, comm);
  return world.job->founding().found(team, team.members(), engine::Call::duplicate);
}

/// The copy functions may use the communicator.
MPI_Comm duplicate(Call call, MPI_Comm comm, InfoMap info) {
  engine::Team& team = *check_communicator(comm).team;
  auto founded = found_duplicate(call, comm, team);
  if (!founded.ok()) fail(team, founded.error());
  return Heritage(comm).make(std::move(founded.value()), std::move(info));
}

}  // namespace

Heritage::Heritage(MPI_Comm comm)
    : inherited_(check_communicator(comm)),
      group_(group_of(check_communicator(comm))),
      remote_group_(check_communicator(comm).remote_group),
      topology_(check_communicator(comm).topology),
      copied_(check_communicator(comm).attributes.duplicate_into(comm, attributes_)) {}

MPI_Comm Heritage::make(std::unique_ptr<engine::Team> team, InfoMap info) {
  const MPI_Comm handle = new_communicator(std::move(team), group_, remote_group_, inherited_);
  Communicator& made = *communicators.find(handle);
  set_hints(made, info);
  made.topology = topology_;
  made.attributes = std::move(attributes_);
  if (copied_ == MPI_SUCCESS) return handle;
  // Only this process knows that a copy has failed: peers that use the new communicator must hear of it.
  made.team->agreement().give_up(engine::Broken::operation);
  static_cast<void>(made.attributes.destroy(handle));
  communicators.erase(handle);
  check_callbacks(copied_);
  return MPI_COMM_NULL;
}

// Hints are not copied since MPI-4.0.
int comm_dup(Call call, MPI_Comm comm, MPI_Comm* newcomm) {
  return run(call, comm, [&] {
    check_communicator(comm);
    check_output(newcomm, "newcomm");
    *newcomm = duplicate(call, comm, {});
  });
}

int comm_dup_with_info(Call call, MPI_Comm comm, MPI_Info info, MPI_Comm* newcomm) {
  return run(call, comm, [&] {
    check_communicator(comm);
    check_output(newcomm, "newcomm");
    *newcomm = duplicate(call, comm, check_info(info));
  });
}

}  // namespace foldlane::api
