// Process topologies, and the parents of processes, which have none.
#pragma once

#include <mpi.h>

#include "api/core/call.hpp"

namespace foldlane::api {

// cart_create.cpp
int cart_create(Call call, MPI_Comm comm_old, int ndims, const int dims[], const int periods[], int reorder,
                MPI_Comm* comm_cart);
int cart_map(Call call, MPI_Comm comm, int ndims, const int dims[], const int periods[], int* newrank);
int cart_sub(Call call, MPI_Comm comm, const int remain_dims[], MPI_Comm* newcomm);

// cart.cpp
int cartdim_get(Call call, MPI_Comm comm, int* ndims);
int cart_get(Call call, MPI_Comm comm, int maxdims, int dims[], int periods[], int coords[]);
int cart_rank(Call call, MPI_Comm comm, const int coords[], int* rank);
int cart_coords(Call call, MPI_Comm comm, int rank, int maxdims, int coords[]);
int cart_shift(Call call, MPI_Comm comm, int direction, int disp, int* rank_source, int* rank_dest);

// dims_create.cpp
int dims_create(Call call, int nnodes, int ndims, int dims[]);

// dist_graph_create.cpp
int dist_graph_create(Call call, MPI_Comm comm_old, int n, const int sources[], const int degrees[],
                      const int destinations[], const int weights[], MPI_Info info, int reorder,
                      MPI_Comm* comm_dist_graph);
int dist_graph_create_adjacent(Call call, MPI_Comm comm_old, int indegree, const int sources[],
                               const int sourceweights[], int outdegree, const int destinations[],
                               const int destweights[], MPI_Info info, int reorder,
                               MPI_Comm* comm_dist_graph);

// dist_graph.cpp
int dist_graph_neighbors_count(Call call, MPI_Comm comm, int* indegree, int* outdegree, int* weighted);
int dist_graph_neighbors(Call call, MPI_Comm comm, int maxindegree, int sources[], int sourceweights[],
                         int maxoutdegree, int destinations[], int destweights[]);

// graph.cpp
int graph_create(Call call, MPI_Comm comm_old, int nnodes, const int indx[], const int edges[], int reorder,
                 MPI_Comm* comm_graph);
int graph_map(Call call, MPI_Comm comm, int nnodes, const int indx[], const int edges[], int* newrank);
int graphdims_get(Call call, MPI_Comm comm, int* nnodes, int* nedges);
int graph_get(Call call, MPI_Comm comm, int maxindex, int maxedges, int indx[], int edges[]);
int graph_neighbors_count(Call call, MPI_Comm comm, int rank, int* nneighbors);
int graph_neighbors(Call call, MPI_Comm comm, int rank, int maxneighbors, int neighbors[]);

// topology.cpp
int topo_test(Call call, MPI_Comm comm, int* status);
int comm_get_parent(Call call, MPI_Comm* parent);

}  // namespace foldlane::api
