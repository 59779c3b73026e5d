// Communicators: making, comparing, freeing.
#pragma once

#include <mpi.h>

#include "api/core/call.hpp"

namespace foldlane::api {

// comm.cpp
int comm_rank(Call call, MPI_Comm comm, int* rank);
int comm_size(Call call, MPI_Comm comm, int* size);
int comm_test_inter(Call call, MPI_Comm comm, int* flag);
int comm_remote_size(Call call, MPI_Comm comm, int* size);
int comm_remote_group(Call call, MPI_Comm comm, MPI_Group* group);
int comm_compare(Call call, MPI_Comm comm1, MPI_Comm comm2, int* result);
int comm_set_info(Call call, MPI_Comm comm, MPI_Info info);
int comm_get_info(Call call, MPI_Comm comm, MPI_Info* info_used);

// comm_dup.cpp
int comm_dup(Call call, MPI_Comm comm, MPI_Comm* newcomm);
int comm_dup_with_info(Call call, MPI_Comm comm, MPI_Info info, MPI_Comm* newcomm);

// comm_split.cpp
int comm_split(Call call, MPI_Comm comm, int color, int key, MPI_Comm* newcomm);
int comm_split_type(Call call, MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm* newcomm);

// comm_create.cpp
int comm_create(Call call, MPI_Comm comm, MPI_Group group, MPI_Comm* newcomm);
int comm_create_group(Call call, MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* newcomm);
int comm_create_from_group(Call call, MPI_Group group, const char* stringtag, MPI_Info info,
                           MPI_Errhandler errhandler, MPI_Comm* newcomm);

// comm_free.cpp
int comm_free(Call call, MPI_Comm* comm);
int comm_disconnect(Call call, MPI_Comm* comm);

// intercomm.cpp
int intercomm_create(Call call, MPI_Comm local_comm, int local_leader, MPI_Comm peer_comm, int remote_leader,
                     int tag, MPI_Comm* newintercomm);
int intercomm_create_from_groups(Call call, MPI_Group local_group, int local_leader, MPI_Group remote_group,
                                 int remote_leader, const char* stringtag, MPI_Info info,
                                 MPI_Errhandler errhandler, MPI_Comm* newintercomm);
int intercomm_merge(Call call, MPI_Comm intercomm, int high, MPI_Comm* newintracomm);

}  // namespace foldlane::api
