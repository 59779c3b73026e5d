// The name of the MPI function at work, as error messages show it.
#pragma once

namespace foldlane::api {

struct Call {
  const char* name;
};

}  // namespace foldlane::api
