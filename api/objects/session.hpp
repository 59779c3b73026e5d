// What a session handle stands for.
#pragma once

#include <mpi.h>

#include "api/core/handle_table.hpp"
#include "api/objects/error_handler.hpp"
#include "api/objects/send_buffer.hpp"

namespace foldlane::api {

struct Session {
  ErrorHandlerSlot errhandler;
  int thread_level = MPI_THREAD_MULTIPLE;
  SendBufferPlace send_buffer{};
};

extern HandleTable<MPI_Session, Session> sessions;

/// Throws MPI_ERR_SESSION if the handle is no session.
Session& check_session(MPI_Session session);

}  // namespace foldlane::api
