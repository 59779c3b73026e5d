// Tasks in parts of given sizes with little between them: cut in two again and again, then improved by swaps.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/mapping/cuts.hpp"
#include "engine/mapping/links.hpp"

namespace foldlane::engine {

/// Which tasks are in each part.
using Parts = std::vector<std::vector<int>>;

/// The sizes add up to the number of tasks.
Parts divide(std::vector<int> tasks, std::span<const std::size_t> sizes, const Cut& cut);

/// Swaps tasks of different parts as long as less is between the parts afterwards.
void improve(Parts& parts, const Links& links);

}  // namespace foldlane::engine
