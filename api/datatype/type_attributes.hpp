// The attributes of datatypes, predefined ones too. They stand beside the datatypes, because few have any.
#pragma once

#include <mpi.h>

namespace foldlane::api {

/// For a call that duplicates a datatype: MPI_SUCCESS, or what the copy function that failed returned. Then
/// `to` has the attributes that were copied before, and the caller destroys them.
[[nodiscard]] int duplicate_type_attributes(MPI_Datatype from, MPI_Datatype to);

/// For a call that frees a datatype: MPI_SUCCESS, or what the delete function that failed returned. Then the
/// datatype keeps the attributes that are left, and must not be freed.
[[nodiscard]] int destroy_type_attributes(MPI_Datatype datatype);

}  // namespace foldlane::api
