// What `reorder` in MPI_Cart_create and MPI_Dist_graph_create saves, for `foldlane explain`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/groups/groups.hpp"

namespace foldlane::tools {

struct ReorderQuestion {
  std::vector<int> dims;     // of the grid; none: a graph
  bool is_periodic = false;  // the grid, in all dimensions
  std::string edges;         // the file with the graph
  std::string round_robin;   // what the ranks go round, or ""
  std::uint64_t bytes = 8;   // along each edge, times its weight
};

/// How many ranks the grid or the graph needs. Throws if it cannot be, with what is wrong.
int ranks_of(const ReorderQuestion& question);

/// What crosses each border with ranks on these seats, as they are and reordered.
std::string explain_reorder(const ReorderQuestion& question, std::vector<engine::Seat> seats);

}  // namespace foldlane::tools
