// Communicators with a topology, drawn anew for each sequence.
#pragma once

#include <vector>

#include "circle.hpp"
#include "matching/random.hpp"

namespace foldlane::moves {

/// A Cartesian grid whose dimensions are open or periodic, a graph and a distributed graph, all of all ranks,
/// which `reorder` may have renumbered. None where the MPI is not up to them.
class Topologies {
 public:
  explicit Topologies(matching::Random& random);
  Topologies(const Topologies&) = delete;
  Topologies& operator=(const Topologies&) = delete;
  ~Topologies();

  int size() const { return static_cast<int>(all_.size()); }
  const Circle& operator[](int number) const { return all_[static_cast<std::size_t>(number)]; }

 private:
  std::vector<Circle> all_;
};

}  // namespace foldlane::moves
