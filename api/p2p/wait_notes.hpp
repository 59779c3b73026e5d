// What waits for messages say of themselves, once they have become long.
#pragma once

#include <mpi.h>

#include "engine/p2p/communication.hpp"
#include "engine/progress/long_wait.hpp"

namespace foldlane::api {

/// `call` is what the program has called on `comm` to send it.
void note_send(engine::WaitNote& note, const char* call, const engine::Send& send, MPI_Comm comm);

/// The same of a receive, with messages that are nearly what it waits for.
void note_receive(engine::WaitNote& note, const char* call, const engine::Receive& receive, MPI_Comm comm);
/// Of a message that was claimed before.
void note_claimed(engine::WaitNote& note, const char* call, const engine::Receive& receive, MPI_Comm comm);
/// Of a probe, which has no buffer.
void note_probe(engine::WaitNote& note, const char* call, const engine::Receive& probe, MPI_Comm comm);

}  // namespace foldlane::api
