// What a communicator handle stands for.
#pragma once

#include <mpi.h>

#include <memory>
#include <string>

#include "api/core/handle_table.hpp"
#include "api/objects/attribute_set.hpp"
#include "api/objects/error_handler.hpp"
#include "api/objects/group.hpp"
#include "api/objects/info_map.hpp"
#include "engine/collectives/collectives.hpp"
#include "engine/team/team.hpp"

namespace foldlane::api {

/// Of the communicator that made it, and of the persistent requests on that, which outlive MPI_Comm_free.
/// With its last owner it is retired.
using OwnedTeam = std::shared_ptr<engine::Team>;

struct Communicator {
  engine::Team* team;  // of both groups; null if it cannot be used: one compare checks handle and phase
  bool is_inter;
  std::string name;  // by name_of() and set_name()
  ErrorHandlerSlot errhandler;
  AttributeSet<MPI_Comm> attributes{};
  GroupRef group{};
  GroupRef remote_group{};  // of an intercommunicator
  InfoMap info{};
  OwnedTeam owned_team{};                              // of communicators that the program made
  bool of_session = false;                             // made of a group alone, or of such a communicator
  shm::RealAtoms::Word<const char*> call_of_thread{};  // with several threads: which collective one is in

  int rank() const noexcept;
  int size() const noexcept;  // of the local group
  /// Where the two groups of an intercommunicator are in its team.
  engine::Sides sides() const noexcept;
};

/// Those that the program made.
extern HandleTable<MPI_Comm, Communicator> communicators;

/// Any thread may set the name while others read it.
std::string name_of(const Communicator& communicator);
void set_name(Communicator& communicator, std::string name);

/// "MPI_COMM_WORLD", or what there is to say about one without a name.
std::string describe(const Communicator& communicator, MPI_Comm handle);

}  // namespace foldlane::api
