// What the launcher of a host's job tells of its nodes, and whether all ranks can come to a meeting of ours.
#pragma once

#include "api/host/host.hpp"

namespace foldlane::host {

/// As the launcher tells.
bool are_several_nodes();

/// One line, if the job is one of one rank by mistake. `ranks` are those of MPI_COMM_WORLD.
void say_if_launcher_is_strange(int ranks);

/// Whether a collective call of ours is safe. Where a launcher tells of several nodes it may have taken the
/// stub to some of them only, and ranks without it would not come: so the job must say that it is everywhere
/// (FOLDLANE_ACCEL_NODES=all, which goes the way that the stub itself goes).
bool may_meet();

/// Collective over MPI_COMM_WORLD, where may_meet(). If ranks do not come although they should, rank 0 says
/// so after a moment, and after a minute the job is aborted: the call cannot be taken back.
void meet(const Host& host);

}  // namespace foldlane::host
