#include "api/host/made_call.hpp"

#include <fmt/format.h>

#include <new>

#include "engine/collectives/verdict.hpp"

namespace foldlane::host {

int fail(const Made& made, const std::string& why) {
  say(fmt::format("rank {} of MPI_COMM_WORLD: {}: {}; the communicator cannot be used any more", the->rank(),
                  name_of(made.call), why));
  const int code = the->host().constants().err_other;
  the->host().call().Comm_call_errhandler(made.comm, code);
  return code;
}

int give_up(const Made& made, engine::Team& team, const std::exception& error) {
  const bool lacks_memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
  team.agreement().give_up(lacks_memory ? engine::Broken::memory : engine::Broken::operation);
  return fail(made, lacks_memory ? engine::failure_of(team).message : error.what());
}

void end_job(const Made& made, int code) {
  say(
      fmt::format("rank {} of MPI_COMM_WORLD: the job ends, as ranks on other nodes cannot be told that {} "
                  "has failed (the reason counts ranks on their node)",
                  the->rank(), name_of(made.call)));
  abort_job(the->host(), code);
}

}  // namespace foldlane::host
