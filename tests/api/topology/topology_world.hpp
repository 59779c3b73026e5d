// What the parts of topology_world.cpp share.
#pragma once

#include <mpi.h>

#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "support/expect.h"

using Ints = std::vector<int>;
using Random = std::mt19937;

inline int rank_in(MPI_Comm comm) {
  int rank = -1;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

inline int size_of(MPI_Comm comm) {
  int size = -1;
  MPI_Comm_size(comm, &size);
  return size;
}

inline int topology_of(MPI_Comm comm) {
  int status = -1;
  MPI_Topo_test(comm, &status);
  return status;
}

inline int length(const Ints& values) { return static_cast<int>(values.size()); }

inline int sum_over(MPI_Comm comm, int value) {
  int sum = 0;
  MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm);
  return sum;
}

/// The same on all ranks and with every library.
inline int draw(Random& random, int least, int most) {
  return least + static_cast<int>(random() % static_cast<unsigned>(most - least + 1));
}

/// A rank and a weight for each.
using Neighbours = std::vector<std::pair<int, int>>;

struct DistGraph {
  bool weighted;
  Neighbours sources, destinations;
};

/// What the library says of the calling rank.
DistGraph ask(MPI_Comm comm);

/// Of `rank`, in an order that nobody would find by itself; what one sends the other one receives.
DistGraph adjacent_of(int rank, int size, bool weighted);

/// Each rank of MPI_COMM_WORLD names its neighbours.
MPI_Comm create_adjacent(const DistGraph& graph, bool reorder, MPI_Info info = MPI_INFO_NULL);

// The parts.
void check_carts();
void check_graphs();
void check_dist_graphs();
void check_info();
