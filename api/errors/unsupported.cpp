#include "api/errors/unsupported.hpp"

#include <fmt/format.h>

#include <mutex>
#include <set>
#include <string>

#include "api/errors/error_codes.hpp"
#include "api/errors/raise.hpp"
#include "api/objects/error_handler.hpp"

namespace foldlane::api {
namespace {

Failure unsupported_failure() {
  return {MPI_ERR_UNSUPPORTED_OPERATION, "not supported by Foldlane " FOLDLANE_VERSION
                                         "; `foldlane info --calls` lists the supported calls"};
}

bool first_time(Call call) {
  static std::mutex mutex;
  static std::set<std::string> told;
  const std::lock_guard lock(mutex);
  return told.insert(call.name).second;
}

void tell_once(Call call, const Failure& failure) {
  const bool returns = file_error_handler.load()->handle == MPI_ERRORS_RETURN;
  if (!returns || !first_time(call)) return;
  print_line(
      fmt::format("{}{}: {} ({})\n", line_prefix(), call.name, failure.message, name_of_code(failure.code)));
}

}  // namespace

int unsupported(Call call, MPI_Comm comm) { return raise(call, comm, unsupported_failure()); }
int unsupported(Call call, MPI_Win win) { return raise(call, win, unsupported_failure()); }
int unsupported(Call call, MPI_Session session) { return raise(call, session, unsupported_failure()); }
int unsupported(Call call, MPI_File file) {
  const Failure failure = unsupported_failure();
  tell_once(call, failure);
  return raise(call, file, failure);
}

}  // namespace foldlane::api
