// One-sided access to memory of ranks that may be in a collective call meanwhile.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "matching/random.hpp"

namespace foldlane::host_test {

enum class Access : std::uint8_t { put, accumulate, fetch };

struct Visit {
  int from, to;
  Access access;
  bool is_exclusive;
  long value;
};

Visit draw_visit(matching::Random& random, int ranks);

/// A word that all ranks add to, and one that each other rank puts into; of MPI_COMM_WORLD.
class Window {
 public:
  Window(int rank, int ranks);
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;
  ~Window();

  void make(const Visit& visit);
  /// What lies there after all have come.
  bool is_right();

 private:
  void visit(const Visit& visit);

  int rank_;
  std::vector<long> words_, wanted_;
  MPI_Win window_ = MPI_WIN_NULL;
};

}  // namespace foldlane::host_test
