// Sessions, process sets, and the hardware that processes share.
#pragma once

#include <mpi.h>

#include "api/core/call.hpp"

namespace foldlane::api {

// session_calls.cpp
int session_init(Call call, MPI_Info info, MPI_Errhandler errhandler, MPI_Session* session);
int session_finalize(Call call, MPI_Session* session);
int session_get_info(Call call, MPI_Session session, MPI_Info* info_used);

// process_sets.cpp
int session_get_num_psets(Call call, MPI_Session session, MPI_Info info, int* npset_names);
int session_get_nth_pset(Call call, MPI_Session session, MPI_Info info, int n, int* pset_len,
                         char* pset_name);
int session_get_pset_info(Call call, MPI_Session session, const char* pset_name, MPI_Info* info);
int group_from_session_pset(Call call, MPI_Session session, const char* pset_name, MPI_Group* newgroup);

// hardware.cpp
int get_hw_resource_info(Call call, MPI_Info* hw_info);

}  // namespace foldlane::api
