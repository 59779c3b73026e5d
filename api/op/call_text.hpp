// Calls on teams in the words of MPI.
#pragma once

#include <string>

#include "engine/progress/long_wait.hpp"
#include "engine/team/call_info.hpp"

namespace foldlane::api {

/// "MPI_Barrier()"; the communicator comes last among the arguments, if it is given.
std::string describe_call(const engine::CallInfo& info, const std::string& communicator = {});

/// Says in a note of a wait in a call on a team which call that is, and for which ranks of the job it waits.
void name_call(engine::WaitNote& note);

}  // namespace foldlane::api
