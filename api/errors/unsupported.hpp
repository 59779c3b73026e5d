// What a function of the standard does that this library does not implement: it raises
// MPI_ERR_UNSUPPORTED_OPERATION on the object it was called with and names itself.
#pragma once

#include <mpi.h>

#include "api/core/call.hpp"

namespace foldlane::api {

/// A program that does not look at the code must not take what was in its variable for an object.
template <class Handle>
void leave_null(Handle* made, Handle null) {
  if (made != nullptr) *made = null;
}

/// Where each kind of object is due is for raise() to know. Errors on files return unless the program says
/// otherwise, so the first of each call is told on stderr as well.
int unsupported(Call call, MPI_Comm comm = MPI_COMM_NULL);
int unsupported(Call call, MPI_Win win);
int unsupported(Call call, MPI_Session session);
int unsupported(Call call, MPI_File file);

}  // namespace foldlane::api
