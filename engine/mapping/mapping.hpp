// Which member of a team does which task, so that little crosses between caches, NUMA nodes and packages: a
// pure function of where the members run, and so equal on all of them.
//
// Tasks are parted among the packages, those of a package among its NUMA nodes, those of a node among its
// caches. What has been found is compared with the tasks in the order of the members, which stays unless it
// is worse: more crosses on some level, and less on none.
#pragma once

#include <span>
#include <vector>

#include "engine/groups/groups.hpp"
#include "engine/mapping/crossings.hpp"
#include "engine/mapping/grid.hpp"

namespace foldlane::engine {

struct Mapping {
  std::vector<int> members;  // by task
  Crossings before;          // with task i on member i
  Crossings after;
};

/// There is a member, by its seat, for each task, or more; those beyond get none.
Mapping map_grid(const Grid& grid, std::span<const Seat> seats);
Mapping map_graph(int tasks, std::span<const Edge> edges, std::span<const Seat> seats);

}  // namespace foldlane::engine
