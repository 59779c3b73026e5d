// The one place where communicators of the program are made.
#pragma once

#include <mpi.h>

#include <memory>
#include <utility>

#include "api/objects/communicator.hpp"

namespace foldlane::api {

/// What every communicator has from the one that it was made of.
struct Inherited {
  explicit Inherited(const Communicator& parent)
      : errhandler(parent.errhandler.load()), of_session(parent.of_session), session(parent.session) {}

  ErrorHandlerPointer errhandler;
  bool of_session;
  MPI_Session session;
};

/// A handle for a new communicator. `remote_group` is null unless it is an intercommunicator. The team has
/// the members of group and remote group, one after the other, in either order.
MPI_Comm new_communicator(std::unique_ptr<engine::Team> team, GroupRef group, GroupRef remote_group,
                          const Inherited& inherited);
inline MPI_Comm new_communicator(std::unique_ptr<engine::Team> team, GroupRef group, GroupRef remote_group,
                                 const Communicator& parent) {
  return new_communicator(std::move(team), std::move(group), std::move(remote_group), Inherited(parent));
}

}  // namespace foldlane::api
