// Ways to cut a set of tasks in two with little between the halves: where partitions begin.
#pragma once

#include <functional>
#include <span>

#include "engine/mapping/grid.hpp"
#include "engine/mapping/links.hpp"

namespace foldlane::engine {

/// Reorders the tasks so that the first `count` of them are one half.
using Cut = std::function<void(std::span<int> tasks, std::size_t count)>;

/// Of cells, across the dimension where least is cut.
Cut cut_across(const Grid& grid, const Links& links);

/// The first half grows from a task at the end of the set, and takes in what is most tied to it.
Cut cut_by_growth(const Links& links);

}  // namespace foldlane::engine
