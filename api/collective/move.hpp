// A call that only moves data, from its checked arguments to its form.
#pragma once

#include <mpi.h>

#include "api/collective/blocks.hpp"
#include "api/collective/form.hpp"
#include "api/objects/communicator.hpp"

namespace foldlane::api {

struct MoveCall {
  MoveCall(engine::Call which, Communicator& on) : call(which), communicator(on) {}

  engine::Call call;
  Communicator& communicator;
  BufferBlocks sends{};
  BufferBlocks receives{};
  int root = 0;  // a member of the team
  bool is_in_place = false;
  bool replaces = false;  // what comes from a member lies where that was which goes to it
};

/// Throws if this member contradicts itself.
void check_own_block(const MoveCall& call);
engine::Movement movement_of(const MoveCall& call, MPI_Comm comm);
/// `movement` must outlive it.
engine::Collective describe(const MoveCall& call, const engine::Movement& movement);

template <class Form>
void move(const Form& form, const MoveCall& call, MPI_Comm comm) {
  check_own_block(call);
  const engine::Movement movement = movement_of(call, comm);
  form(*call.communicator.team, describe(call, movement),
       [&] { return Kept{.movement = &movement, .sends = &call.sends, .receives = &call.receives}; });
}

}  // namespace foldlane::api
