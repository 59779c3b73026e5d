// What a communicator handle stands for.
#pragma once

#include <mpi.h>

#include <string>

#include "api/attributes.hpp"
#include "api/error_handler.hpp"
#include "engine/team.hpp"

namespace foldlane::api {

struct Communicator {
  std::string name;    // read through name_of()
  engine::Team* team;  // null unless MPI is active: one compare checks the handle and the phase
  ErrorHandlerSlot errhandler;
  AttributeSet<MPI_Comm> attributes{};
};

/// While another thread may change it.
std::string name_of(const Communicator& communicator);

}  // namespace foldlane::api
