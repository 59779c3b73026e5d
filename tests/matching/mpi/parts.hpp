// What programs need of MPI: communicators and datatypes, made once.
#pragma once

#include <mpi.h>

#include "matching/program.hpp"

namespace foldlane::matching {

/// Of the first ranks of the world; those that a rank is not in are null. Collective over the world.
std::vector<MPI_Comm> make_comms(int ranks);
void free_comms(std::vector<MPI_Comm>& comms);

class Types {
 public:
  Types();
  Types(const Types&) = delete;
  Types& operator=(const Types&) = delete;
  ~Types();
  MPI_Datatype of(Unit unit, Layout layout) const {
    return types_[static_cast<std::size_t>(unit)][static_cast<std::size_t>(layout)];
  }

 private:
  MPI_Datatype types_[4][6];
};

}  // namespace foldlane::matching
