// What a communicator handle stands for.
#pragma once

#include <mpi.h>

#include <string>

#include "api/error_handler.hpp"
#include "engine/team.hpp"

namespace foldlane::api {

struct Communicator {
  std::string name;
  engine::Team* team;  // null unless MPI is active: one compare checks the handle and the phase
  ErrorHandlerSlot errhandler;
};

}  // namespace foldlane::api
