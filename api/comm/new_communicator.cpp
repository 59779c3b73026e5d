#include "api/comm/new_communicator.hpp"

#include <utility>

#include "api/core/failure.hpp"
#include "api/core/world.hpp"
#include "api/statistics/recorder.hpp"

namespace foldlane::api {
namespace {

void retire(engine::Team* team) { world.job->founding().retire(std::unique_ptr<engine::Team>(team)); }

}  // namespace

MPI_Comm new_communicator(std::unique_ptr<engine::Team> team, GroupRef group, GroupRef remote_group,
                          const Inherited& inherited) {
  engine::Team* const raw = team.get();
  const bool inter = remote_group != nullptr;
  const MPI_Comm handle = communicators.insert({raw,
                                                inter,
                                                "",
                                                ErrorHandlerSlot(inherited.errhandler),
                                                {},
                                                std::move(group),
                                                std::move(remote_group),
                                                {},
                                                OwnedTeam(team.release(), retire),
                                                inherited.of_session,
                                                inherited.session});
  if (handle == nullptr) {
    fail(MPI_ERR_NO_MEM, "too many communicators exist in this process; free some with MPI_Comm_free");
  }
  if (recorder != nullptr) recorder->watch(*communicators.find(handle));
  return handle;
}

}  // namespace foldlane::api
