// Process topologies, of which there are none yet, and the parents of processes, which have none.
#pragma once

#include <mpi.h>

#include "api/core/call.hpp"

namespace foldlane::api {

// dims_create.cpp
int dims_create(Call call, int nnodes, int ndims, int dims[]);

// topology.cpp
int topo_test(Call call, MPI_Comm comm, int* status);
int comm_get_parent(Call call, MPI_Comm* parent);

}  // namespace foldlane::api
