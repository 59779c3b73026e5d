// Requests.
#pragma once

#include <mpi.h>

#include "api/call.hpp"

namespace foldlane::api {

// comm_idup.cpp
int comm_idup(Call call, MPI_Comm comm, MPI_Comm* newcomm, MPI_Request* request);
int comm_idup_with_info(Call call, MPI_Comm comm, MPI_Info info, MPI_Comm* newcomm, MPI_Request* request);

// request.cpp
int wait(Call call, MPI_Request* request, MPI_Status* status);
int test(Call call, MPI_Request* request, int* flag, MPI_Status* status);
int request_get_status(Call call, MPI_Request request, int* flag, MPI_Status* status);
int request_free(Call call, MPI_Request* request);

// request_sets.cpp
int waitall(Call call, int count, MPI_Request* handles, MPI_Status* statuses);
int testall(Call call, int count, MPI_Request* handles, int* flag, MPI_Status* statuses);
int waitany(Call call, int count, MPI_Request* handles, int* index, MPI_Status* status);
int testany(Call call, int count, MPI_Request* handles, int* index, int* flag, MPI_Status* status);
int waitsome(Call call, int count, MPI_Request* handles, int* complete, int* indices, MPI_Status* statuses);
int testsome(Call call, int count, MPI_Request* handles, int* complete, int* indices, MPI_Status* statuses);
int request_get_status_all(Call call, int count, const MPI_Request* handles, int* flag, MPI_Status* statuses);
int request_get_status_any(Call call, int count, const MPI_Request* handles, int* index, int* flag,
                           MPI_Status* status);
int request_get_status_some(Call call, int count, const MPI_Request* handles, int* complete, int* indices,
                            MPI_Status* statuses);

}  // namespace foldlane::api
