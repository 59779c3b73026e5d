// What this thread's errors said, for MPI_Error_string: programs ask for it after the call has returned.
#pragma once

#include <string>

namespace foldlane::api {

/// Nothing is kept of codes of the program: MPI_Error_string shows what the program said about them.
void remember_message(int code, const std::string& message);

/// The last message with this class of the standard; empty if there is none.
const std::string& last_message(int error_class) noexcept;

}  // namespace foldlane::api
