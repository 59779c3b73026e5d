// What a communicator handle stands for.
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "api/core/handle_table.hpp"
#include "api/objects/assertions.hpp"
#include "api/objects/attribute_set.hpp"
#include "api/objects/error_handler.hpp"
#include "api/objects/group.hpp"
#include "api/objects/info_map.hpp"
#include "api/objects/send_buffer.hpp"
#include "api/objects/topology.hpp"
#include "engine/collectives/collectives.hpp"
#include "engine/p2p/channel.hpp"
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
  MPI_Session session = MPI_SESSION_NULL;              // that it comes from; it may be finalized
  shm::RealAtoms::Word<const char*> call_of_thread{};  // with several threads: which collective one is in
  shm::RealAtoms::Word<engine::Channel*> channel{};    // none before the first message
  shm::RealAtoms::Word<engine::Channel*> collective_channel{};  // of messages in collective calls
  SendBufferPlace send_buffer{};
  shm::RealAtoms::Word<std::uint32_t> assertions{};  // of the hints
  TopologyRef topology{};

  int rank() const noexcept;
  int size() const noexcept;  // of the local group
  /// Where the two groups of an intercommunicator are in its team.
  engine::Sides sides() const noexcept;
};

/// Those that the program made.
extern HandleTable<MPI_Comm, Communicator> communicators;

/// MPI_COMM_WORLD, MPI_COMM_SELF. Hidden like `world`.
[[gnu::visibility("hidden")]] extern std::array<Communicator, 2> predefined_communicators;

/// Null if the handle is no communicator, or one of MPI_Init outside of MPI_Init … MPI_Finalize.
[[gnu::always_inline]] inline Communicator* find_communicator(MPI_Comm comm) noexcept {
  const auto index =
      reinterpret_cast<std::uintptr_t>(comm) - reinterpret_cast<std::uintptr_t>(MPI_COMM_WORLD);
  if (index >= predefined_communicators.size()) [[unlikely]]
    return communicators.find(comm);
  return predefined_communicators[index].team == nullptr ? nullptr : &predefined_communicators[index];
}

namespace reject {

[[noreturn, gnu::cold]] void communicator(MPI_Comm comm);

}  // namespace reject

/// Throws MPI_ERR_COMM if there is no such communicator, and MPI_ERR_OTHER if the library cannot be used.
[[gnu::always_inline]] inline Communicator& check_communicator(MPI_Comm comm) {
  Communicator* found = find_communicator(comm);
  if (found == nullptr) [[unlikely]]
    reject::communicator(comm);
  return *found;
}

/// Adds to the hints, and replaces those of the same keys. Any thread may.
void set_hints(Communicator& communicator, const InfoMap& given);
InfoMap hints_of(const Communicator& communicator);

/// Any thread may set the name while others read it.
std::string name_of(const Communicator& communicator);
void set_name(Communicator& communicator, std::string name);

/// "MPI_COMM_WORLD", or what there is to say about one without a name.
std::string describe(const Communicator& communicator, MPI_Comm handle);

/// The same of any handle, also when its communicator is gone.
std::string describe(MPI_Comm handle);

}  // namespace foldlane::api
