// Where this installation (or build tree) lies; found from the running executable, so that it can be moved.
#pragma once

#include <string>

namespace foldlane::tools {

/// The MPI library that belongs to this launcher; empty if it is not there.
std::string mpi_library_path();

/// What is preloaded into programs of other MPIs; empty if it is not there.
std::string accelerator_library_path();

/// Where the program behind `foldlane bench` belongs; it need not be there.
std::string bench_program_path();

}  // namespace foldlane::tools
