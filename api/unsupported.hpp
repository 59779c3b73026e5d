// What a function of the standard does that this library does not implement: it raises
// MPI_ERR_UNSUPPORTED_OPERATION on the object it was called with and names itself.
#pragma once

#include <mpi.h>

#include "api/call.hpp"

namespace foldlane::api {

/// On the communicator, or on MPI_COMM_SELF if there is none.
int unsupported(Call call, MPI_Comm comm = MPI_COMM_NULL);

/// No window or session exists here, so these raise on MPI_COMM_SELF.
int unsupported(Call call, MPI_Win win);
int unsupported(Call call, MPI_Session session);

/// Errors of files return by default, and no call can change that here.
int unsupported(Call call, MPI_File file);

}  // namespace foldlane::api
