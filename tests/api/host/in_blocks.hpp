// Included before programs of the oracle behind of_host.hpp: their world is a communicator in which the ranks
// of a node are neighbours, as the canonical order over several nodes wants. Launchers may have placed them
// otherwise.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <vector>

namespace foldlane::testing {

/// In MPI_COMM_WORLD: the first rank on the node of this one.
inline int first_on_node() {
  MPI_Comm node;
  MPI_Group ranks_of_node, ranks_of_job;
  const int own = 0;
  int first = 0;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_group(node, &ranks_of_node);
  MPI_Comm_group(MPI_COMM_WORLD, &ranks_of_job);
  MPI_Group_translate_ranks(ranks_of_node, 1, &own, ranks_of_job, &first);
  MPI_Group_free(&ranks_of_node);
  MPI_Group_free(&ranks_of_job);
  MPI_Comm_free(&node);
  return first;
}

/// The first calls on a new communicator are the host's, which has another order.
inline void grow_up(MPI_Comm comm) {
  for (int calls = 0; calls < 3; ++calls) MPI_Barrier(comm);
}

inline MPI_Comm make_world() {
  int ranks = 0;
  const int own = first_on_node();
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  std::vector<int> first(static_cast<std::size_t>(ranks));
  MPI_Allgather(&own, 1, MPI_INT, first.data(), 1, MPI_INT, MPI_COMM_WORLD);
  if (std::is_sorted(first.begin(), first.end())) return MPI_COMM_WORLD;
  MPI_Comm in_blocks;
  MPI_Comm_split(MPI_COMM_WORLD, 0, own, &in_blocks);
  grow_up(in_blocks);
  return in_blocks;
}

inline MPI_Comm world_in_blocks() {
  static const MPI_Comm world = make_world();
  return world;
}

}  // namespace foldlane::testing

#undef MPI_COMM_WORLD
#define MPI_COMM_WORLD foldlane::testing::world_in_blocks()
