// Blocking calls that only move data, of two ranks with dense buffers: those in which the arguments would
// take longer than the way. What is not as usual, mistakes included, goes the way of all calls (move.hpp).
#pragma once

#include <mpi.h>

#include "api/collective/blocks.hpp"
#include "api/objects/communicator.hpp"
#include "engine/team/call_info.hpp"

namespace foldlane::api {

/// True: the call is carried out. `root` is a rank that exists; of calls without one any.
bool move_between_two(engine::Call call, Communicator& communicator, const Side& send, const Side& recv,
                      int root);

}  // namespace foldlane::api
