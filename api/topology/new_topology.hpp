// The way of communicators with a topology into being.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>

#include "api/objects/communicator.hpp"
#include "engine/groups/groups.hpp"
#include "engine/team/call_info.hpp"

namespace foldlane::api {

/// Throws MPI_ERR_COMM for an intercommunicator.
const Communicator& check_intra(MPI_Comm comm);

/// A call that all ranks make with these arguments.
engine::CallInfo founding_call(engine::Call call, const std::vector<int>& arguments);

/// Where the ranks of a communicator run.
std::vector<engine::Seat> seats_of(const Communicator& communicator);

/// 0, 1, …: ranks as they are.
std::vector<int> in_order(int count);

/// The place of `rank` among `ranks`, or MPI_UNDEFINED.
int position_of(int rank, std::span<const int> ranks);

/// Collective over `from`: a communicator of `ranks` of it, in this order, for those that are among them;
/// MPI_COMM_NULL for others.
MPI_Comm new_topology(const Communicator& from, std::span<const int> ranks, const engine::CallInfo& as,
                      TopologyGraph graph);

}  // namespace foldlane::api
