// Makes the calls of a program.
#pragma once

#include "matching/log.hpp"
#include "matching/mpi/parts.hpp"

namespace foldlane::matching {

/// What MPI_Bsend uses: a process has only one buffer, so programs that run at once share that of their
/// caller.
enum class Buffer { own, of_process };

/// The calls of one rank, on the communicators of programs of so many ranks.
Log run(const Program& program, int rank, const std::vector<MPI_Comm>& comms, const Types& types,
        Buffer buffer);

}  // namespace foldlane::matching
