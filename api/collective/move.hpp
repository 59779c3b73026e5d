// A call that only moves data, from its arguments to its form.
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

/// Of calls on it; none in a team of one.
engine::Mail mail_on(Communicator& communicator, MPI_Comm comm);
/// `sends` and `receives` must outlive it.
engine::Movement movement_on(Communicator& communicator, MPI_Comm comm, const engine::Blocks& sends,
                             const engine::Blocks& receives);
/// `movement` must outlive it.
engine::Collective describe(engine::Call call, const engine::Movement& movement);

/// Throws if this member contradicts itself.
void check_own_block(const MoveCall& call);
engine::Movement movement_of(const MoveCall& call, MPI_Comm comm);
engine::Collective describe(const MoveCall& call, const engine::Movement& movement);

template <class Form>
void move(const Form& form, const MoveCall& call, MPI_Comm comm) {
  check_own_block(call);
  const engine::Movement movement = movement_of(call, comm);
  form(*call.communicator.team, describe(call, movement),
       [&] { return Kept{.movement = &movement, .sends = &call.sends, .receives = &call.receives}; });
}

/// The three forms of a call with two sides. `text` checks them, and hands the call to its form.
template <class Text>
[[gnu::always_inline]] inline int blocking_move(Call call, const Text& text, const Side& send,
                                                const Side& recv, MPI_Comm comm) {
  return run(call, comm, [&] { text(Blocking(call, comm), send, recv, comm); });
}
template <class Text>
[[gnu::always_inline]] inline int nonblocking_move(Call call, const Text& text, const Side& send,
                                                   const Side& recv, MPI_Comm comm, MPI_Request* request) {
  return run_nonblocking(call, comm, request, [&](const auto& form) { text(form, send, recv, comm); });
}
template <class Text>
[[gnu::always_inline]] inline int persistent_move(Call call, const Text& text, const Side& send,
                                                  const Side& recv, MPI_Comm comm, MPI_Info info,
                                                  MPI_Request* request) {
  return run_init(call, comm, info, request, [&](const auto& form) { text(form, send, recv, comm); });
}

}  // namespace foldlane::api
