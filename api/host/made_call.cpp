#include "api/host/made_call.hpp"

#include <fmt/format.h>

namespace foldlane::host {

int fail(const Made& made, const std::string& why) {
  say(fmt::format("rank {} of MPI_COMM_WORLD: {}: {}; the communicator cannot be used any more", the->rank(),
                  name_of(made.call), why));
  const int code = the->host().constants().err_other;
  the->host().call().Comm_call_errhandler(made.comm, code);
  return code;
}

}  // namespace foldlane::host
