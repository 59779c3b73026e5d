// What `reorder` in MPI_Cart_create, MPI_Graph_create and MPI_Dist_graph_create saves, for `foldlane
// explain`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/groups/groups.hpp"

namespace foldlane::tools {

/// The calls that reorder, as they are written.
inline constexpr std::string_view kGridCall = "cart_create", kGraphCall = "graph_create",
                                  kDistGraphCall = "dist_graph_create";

struct ReorderQuestion {
  std::string_view call;    // one of these; "": no such question
  std::vector<int> dims;    // of the grid
  std::string periodic;     // "": in no dimension, kInAll, or 0 or 1 for each, as "1,0,1"
  std::string edges;        // the file with the graph
  std::string round_robin;  // what the ranks go round, or ""
  std::uint64_t bytes = 8;  // along each edge, times its weight

  static constexpr char kInAll[] = "all";
};

/// How many ranks the grid or the graph needs. Throws if it cannot be, with what is wrong.
int ranks_of(const ReorderQuestion& question);

/// What crosses each border with ranks on these seats, as they are and reordered.
std::string explain_reorder(const ReorderQuestion& question, std::vector<engine::Seat> seats);

}  // namespace foldlane::tools
