// The calls that wait for requests and test them, behind one name.
#pragma once

#include <mpi.h>

#include "matching/program.hpp"

namespace foldlane::matching {

struct Requests {
  std::vector<MPI_Request> handles;
  std::vector<MPI_Status> statuses;
  std::vector<int> indices;  // of what was completed, `count` of them
  int count = 0;

  explicit Requests(std::vector<MPI_Request> active)
      : handles(std::move(active)), statuses(handles.size()), indices(handles.size()) {}
};

/// One call. Returns whether it is done with what was asked of it.
bool complete_once(Which which, bool waits, Requests& requests);

}  // namespace foldlane::matching
