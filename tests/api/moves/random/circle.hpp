// Communicators by the ranks of MPI_COMM_WORLD that are in them.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "move.hpp"

namespace foldlane::moves {

/// Who a block of a call among neighbours comes from or goes to (nobody: beyond a border), and over which of
/// the edges of all ranks.
struct Neighbour {
  int rank = kNobody;
  int edge = 0;
};

/// Its members know each other by their ranks in MPI_COMM_WORLD.
struct Circle {
  std::string name;
  MPI_Comm comm = MPI_COMM_NULL;
  bool is_inter = false;
  int side = 0;  // of an intercommunicator: which of its groups this rank is in
  int rank = 0;
  std::vector<int> own;       // by rank
  std::vector<int> partners;  // who blocks come from and go to: the same, or the other group
  bool has_topology = false;
  std::vector<Neighbour> sources{}, destinations{};  // by block
};

/// Of a communicator of one group.
Circle circle_of(const std::string& name, MPI_Comm comm);

/// One of each kind that this rank is in: the world, a duplicate, one in the reverse order, one half or the
/// other (of odd and even ranks), itself, and between two groups if there are two ranks and the MPI can.
class Circles {
 public:
  Circles();
  Circles(const Circles&) = delete;
  Circles& operator=(const Circles&) = delete;
  ~Circles();

  int size() const { return static_cast<int>(all_.size()); }
  const Circle& operator[](int number) const { return all_[static_cast<std::size_t>(number)]; }

 private:
  void add(const std::string& name, MPI_Comm comm, bool is_inter = false, int side = 0);
  void add_between();

  std::vector<Circle> all_;
};

}  // namespace foldlane::moves
