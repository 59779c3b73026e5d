#include "api/objects/communicator.hpp"

#include <fmt/format.h>

#include <mutex>

#include "api/core/failure.hpp"
#include "api/core/world.hpp"

namespace foldlane::api {
namespace {

std::mutex hints;  // of all communicators
std::mutex names;  // of all communicators: one thread may set a name while others raise errors

ErrorHandlerSlot initial_error_handler() {
  return ErrorHandlerSlot(predefined_error_handler(MPI_ERRORS_ARE_FATAL));
}

}  // namespace

HandleTable<MPI_Comm, Communicator> communicators("communicator",
                                                  [](MPI_Comm handle, const Communicator& communicator) {
                                                    return std::optional(describe(communicator, handle));
                                                  });

std::array<Communicator, 2> predefined_communicators{
    {{nullptr, false, "MPI_COMM_WORLD", initial_error_handler()},
     {nullptr, false, "MPI_COMM_SELF", initial_error_handler()}}};

void reject::communicator(MPI_Comm comm) {
  check_active();
  if (comm == MPI_COMM_WORLD || comm == MPI_COMM_SELF) {
    fail(MPI_ERR_COMM, fmt::format("{} exists only between MPI_Init and MPI_Finalize, not in sessions",
                                   comm == MPI_COMM_WORLD ? "MPI_COMM_WORLD" : "MPI_COMM_SELF"));
  }
  if (comm == MPI_COMM_NULL) fail(MPI_ERR_COMM, "the communicator is MPI_COMM_NULL");
  fail(MPI_ERR_COMM,
       fmt::format("the communicator {} does not exist; it may have been freed", fmt::ptr(comm)));
}

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

void set_hints(Communicator& communicator, const InfoMap& given) {
  const std::lock_guard lock(hints);
  communicator.assertions.publish(take_hints(communicator.info, given));
}

InfoMap hints_of(const Communicator& communicator) {
  const std::lock_guard lock(hints);
  return with_defaults(communicator.info);
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

std::string describe(MPI_Comm handle) {
  const Communicator* const found = find_communicator(handle);
  if (found != nullptr) return describe(*found, handle);
  if (handle == MPI_COMM_WORLD) return "MPI_COMM_WORLD";
  return handle == MPI_COMM_SELF ? "MPI_COMM_SELF" : "a communicator that was freed";
}

}  // namespace foldlane::api
