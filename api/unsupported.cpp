#include "api/unsupported.hpp"

#include "api/raise.hpp"

namespace foldlane::api {
namespace {

Failure unsupported_failure() {
  return {MPI_ERR_UNSUPPORTED_OPERATION, "not supported by Foldlane " FOLDLANE_VERSION
                                         "; `foldlane info --calls` lists the supported calls"};
}

}  // namespace

int unsupported(Call call, MPI_Comm comm) { return raise(call, comm, unsupported_failure()); }
int unsupported(Call call, MPI_Win win) { return raise(call, win, unsupported_failure()); }
int unsupported(Call call, MPI_Session session) { return raise(call, session, unsupported_failure()); }
int unsupported(Call call, MPI_File file) { return raise(call, file, unsupported_failure()); }

}  // namespace foldlane::api
