// Numbers in environment variables.
#pragma once

#include "shm/base/result.hpp"

namespace foldlane::engine {

/// Error (invalid): the variable is missing, or its value is no number of 0 or more.
shm::Result<int> number_in(const char* variable);

}  // namespace foldlane::engine
