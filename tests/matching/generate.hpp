// Random programs. The same seed is the same program everywhere.
#pragma once

#include "matching/program.hpp"

namespace foldlane::matching {

/// Long, and free of deadlocks by construction, see planned.cpp.
Program planned_program(std::uint64_t seed, int most_ranks);
/// Short and lawless: it may well end in a deadlock, so it must be explored before it is run.
Program small_program(std::uint64_t seed, int most_ranks);

}  // namespace foldlane::matching
