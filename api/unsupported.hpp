// What a function of the standard does that this library does not implement: it raises
// MPI_ERR_UNSUPPORTED_OPERATION on the object it was called with and names itself.
#pragma once

#include <mpi.h>

#include "api/call.hpp"

namespace foldlane::api {

/// Where each kind of object is due is for raise() to know.
int unsupported(Call call, MPI_Comm comm = MPI_COMM_NULL);
int unsupported(Call call, MPI_Win win);
int unsupported(Call call, MPI_Session session);
int unsupported(Call call, MPI_File file);

}  // namespace foldlane::api
