// Makes the calls of a program.
#pragma once

#include "matching/log.hpp"
#include "matching/mpi/parts.hpp"

namespace foldlane::matching {

/// The calls of one rank, on the communicators of programs of so many ranks.
Log run(const Program& program, int rank, const std::vector<MPI_Comm>& comms, const Types& types);

}  // namespace foldlane::matching
