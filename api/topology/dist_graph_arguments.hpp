// The checks of what ranks say about a distributed graph.
#pragma once

#include <mpi.h>

#include <vector>

#include "api/objects/topology.hpp"
#include "api/topology/shared_edges.hpp"

namespace foldlane::api {

/// Of MPI_Dist_graph_create, on a communicator of `size` ranks.
std::vector<SharedEdge> check_edges(int size, int n, const int* sources, const int* degrees,
                                    const int* destinations, const int* weights);

/// Of one side in MPI_Dist_graph_create_adjacent; `names` are those of the parameters.
struct SideNames {
  const char* degree;
  const char* ranks;
  const char* weights;
};
DistGraph::Side check_side(int size, int degree, const int* ranks, const int* weights,
                           const SideNames& names);

}  // namespace foldlane::api
