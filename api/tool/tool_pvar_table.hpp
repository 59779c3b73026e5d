// The performance variables of the tool interface.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace foldlane::api {

/// All are read-only, belong to no object, and run from the start of the process to its end.
struct PerformanceVariable {
  std::string name;
  std::string description;
  int var_class;
  MPI_Datatype datatype;  // MPI_INT of a state, else MPI_UNSIGNED_LONG
  int verbosity;
  std::function<std::uint64_t()> value;
};

std::span<const PerformanceVariable> performance_variables();

}  // namespace foldlane::api
