// The status calls behind the generated entry points; all in status.cpp.
#pragma once

#include <mpi.h>

#include "api/core/call.hpp"

namespace foldlane::api {

int get_count(Call call, const MPI_Status* status, MPI_Datatype datatype, int* count);
int get_count(Call call, const MPI_Status* status, MPI_Datatype datatype, MPI_Count* count);
int get_elements(Call call, const MPI_Status* status, MPI_Datatype datatype, int* count);
int get_elements(Call call, const MPI_Status* status, MPI_Datatype datatype, MPI_Count* count);
int status_set_elements(Call call, MPI_Status* status, MPI_Datatype datatype, MPI_Count count);
int status_set_cancelled(Call call, MPI_Status* status, int flag);
int test_cancelled(Call call, const MPI_Status* status, int* flag);
int status_get_source(Call call, const MPI_Status* status, int* source);
int status_get_tag(Call call, const MPI_Status* status, int* tag);
int status_get_error(Call call, const MPI_Status* status, int* error);
int status_set_source(Call call, MPI_Status* status, int source);
int status_set_tag(Call call, MPI_Status* status, int tag);
int status_set_error(Call call, MPI_Status* status, int error);

}  // namespace foldlane::api
