// The topology that a call is about.
#pragma once

#include <fmt/format.h>
#include <mpi.h>

#include <variant>

#include "api/core/failure.hpp"
#include "api/objects/communicator.hpp"

namespace foldlane::api {

template <class Kind>
struct Asked {
  const Communicator& communicator;
  const Kind& topology;
};

/// Throws MPI_ERR_TOPOLOGY if the communicator has none of this kind, which is called `kind`.
template <class Kind>
Asked<Kind> check_topology(MPI_Comm comm, const char* kind) {
  const Communicator& communicator = check_communicator(comm);
  const Kind* const found =
      communicator.topology == nullptr ? nullptr : std::get_if<Kind>(&communicator.topology->graph);
  if (found == nullptr) fail(MPI_ERR_TOPOLOGY, fmt::format("the communicator has no {} topology", kind));
  return {communicator, *found};
}

/// Throws MPI_ERR_RANK.
inline void check_member(int rank, int size) {
  if (rank >= 0 && rank < size) return;
  fail(MPI_ERR_RANK, fmt::format("rank is {}; the ranks are 0 to {}", rank, size - 1));
}

/// Throws MPI_ERR_ARG if an array of the program is too short for what is to be written to it.
inline void check_room(int given, std::size_t needed, const char* parameter, const char* what) {
  if (given >= 0 && static_cast<std::size_t>(given) >= needed) return;
  fail(MPI_ERR_ARG, fmt::format("{} is {}, but there are {} {}", parameter, given, needed, what));
}

}  // namespace foldlane::api
