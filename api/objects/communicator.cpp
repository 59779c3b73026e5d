#include "api/objects/communicator.hpp"

#include <fmt/format.h>

#include <mutex>

namespace foldlane::api {
namespace {

std::mutex names;  // of all communicators: one thread may set a name while others raise errors

}  // namespace

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

std::string name_of(const Communicator& communicator) {
  const std::lock_guard lock(names);
  return communicator.name;
}

void set_name(Communicator& communicator, std::string name) {
  const std::lock_guard lock(names);
  communicator.name.swap(name);  // what was here outlives the lock
}

std::string describe(const Communicator& communicator, MPI_Comm handle) {
  std::string name = name_of(communicator);
  if (!name.empty()) return name;
  return fmt::format("{} {} of {} ranks", communicator.is_inter ? "intercommunicator" : "communicator",
                     fmt::ptr(handle), communicator.team->size());
}

}  // namespace foldlane::api
