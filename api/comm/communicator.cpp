#include "api/comm/communicator.hpp"

#include <fmt/format.h>

#include <utility>

#include "api/core/failure.hpp"
#include "api/core/world.hpp"
#include "api/group/group.hpp"

namespace foldlane::api {

HandleTable<MPI_Comm, Communicator> communicators;

int Communicator::rank() const noexcept {
  if (!is_inter) return team->rank();
  return team->rank() - sides().local.first;
}

int Communicator::size() const noexcept { return is_inter ? group->size() : team->size(); }

engine::Sides Communicator::sides() const noexcept {
  const bool local_first = team->members().front() == group->ranks.front();
  const engine::Members first{0, local_first ? group->size() : remote_group->size()};
  const engine::Members second{first.count, team->size() - first.count};
  return local_first ? engine::Sides{first, second} : engine::Sides{second, first};
}

std::string describe(const Communicator& communicator, MPI_Comm handle) {
  std::string name = name_of(communicator);
  if (!name.empty()) return name;
  return fmt::format("{} {} of {} ranks", communicator.is_inter ? "intercommunicator" : "communicator",
                     fmt::ptr(handle), communicator.team->size());
}

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
                                                inherited.of_session});
  if (handle == nullptr) {
    fail(MPI_ERR_NO_MEM, "too many communicators exist in this process; free some with MPI_Comm_free");
  }
  return handle;
}

}  // namespace foldlane::api
