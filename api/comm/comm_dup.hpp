// What duplicates of communicators have in common.
#pragma once

#include <memory>

#include "api/comm/new_communicator.hpp"

namespace foldlane::api {

/// What a duplicate takes over from its communicator, which may change or be freed afterwards: groups, error
/// handler, topology, and the attributes that their copy functions let through.
class Heritage {
 public:
  /// Calls the copy functions.
  explicit Heritage(MPI_Comm comm);

  /// The communicator of `team`, once, with these hints. Throws what a copy function has failed with.
  MPI_Comm make(std::unique_ptr<engine::Team> team, InfoMap info);

 private:
  Inherited inherited_;
  GroupRef group_;
  GroupRef remote_group_;
  TopologyRef topology_;
  AttributeSet<MPI_Comm> attributes_;
  int copied_;  // MPI_SUCCESS, or what a copy function has returned
};

}  // namespace foldlane::api
