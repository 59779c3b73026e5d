// How calls about messages are named, with what they were given: for reports of requests.
#pragma once

#include <mpi.h>

#include <string>

#include "engine/p2p/communication.hpp"

namespace foldlane::api {

/// "MPI_Isend(dest 1, tag 5, 8 bytes, MPI_COMM_WORLD)". `is_null`: to MPI_PROC_NULL.
std::string title_of(const char* call, MPI_Comm comm, const engine::Parcel& send, bool is_null);

/// "MPI_Irecv(source 1, any tag, 8 bytes, MPI_COMM_WORLD)". `first`: the member that is rank 0.
std::string title_of(const char* call, MPI_Comm comm, const engine::Receive& receive, bool is_null,
                     int first);

/// "MPI_Isend", "MPI_Ssend_init": of the call that has made the request.
const char* name_of_send(engine::SendMode mode, bool is_persistent);

/// "any rank", "rank 2"; "any tag", "tag 5".
std::string rank_name(int source, int first);
std::string tag_name(int tag);

}  // namespace foldlane::api
