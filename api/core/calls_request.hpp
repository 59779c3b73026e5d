// Requests.
#pragma once

#include <mpi.h>

#include "api/core/call.hpp"

namespace foldlane::api {

// comm_idup.cpp
int comm_idup(Call call, MPI_Comm comm, MPI_Comm* newcomm, MPI_Request* request);
int comm_idup_with_info(Call call, MPI_Comm comm, MPI_Info info, MPI_Comm* newcomm, MPI_Request* request);

// request.cpp
int wait(Call call, MPI_Request* request, MPI_Status* status);
int test(Call call, MPI_Request* request, int* flag, MPI_Status* status);
int request_free(Call call, MPI_Request* request);
int start(Call call, MPI_Request* request);
int startall(Call call, int count, MPI_Request* requests);
int cancel(Call call, MPI_Request* request);

// request_sets.cpp
int waitall(Call call, int count, MPI_Request* requests, MPI_Status* array);
int testall(Call call, int count, MPI_Request* requests, int* flag, MPI_Status* array);
int waitany(Call call, int count, MPI_Request* requests, int* index, MPI_Status* status);
int testany(Call call, int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status);
int waitsome(Call call, int count, MPI_Request* requests, int* complete, int* indices, MPI_Status* array);
int testsome(Call call, int count, MPI_Request* requests, int* complete, int* indices, MPI_Status* array);

// request_looks.cpp
int request_get_status(Call call, MPI_Request request, int* flag, MPI_Status* status);
int request_get_status_all(Call call, int count, const MPI_Request* requests, int* flag, MPI_Status* array);
int request_get_status_any(Call call, int count, const MPI_Request* requests, int* index, int* flag,
                           MPI_Status* status);
int request_get_status_some(Call call, int count, const MPI_Request* requests, int* complete, int* indices,
                            MPI_Status* array);

// grequest.cpp
int grequest_start(Call call, MPI_Grequest_query_function* query_fn, MPI_Grequest_free_function* free_fn,
                   MPI_Grequest_cancel_function* cancel_fn, void* extra_state, MPI_Request* request);
int grequest_complete(Call call, MPI_Request request);

}  // namespace foldlane::api
