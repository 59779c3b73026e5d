// What programs of the MPI interface share that check conditions instead of results.
#pragma once

#include <mpi.h>
#include <signal.h>
#include <unistd.h>

#include <cstring>
#include <numeric>
#include <random>
#include <vector>

#include "support/oracle.hpp"

namespace foldlane::testing {

inline void check_that(bool holds, const char* what) {
  ++compared_calls;
  if (!holds) give_up(what);
}

inline MPI_Comm duplicate(MPI_Comm comm) {
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Comm_dup(comm, &made);
  return made;
}

inline std::vector<MPI_Comm> duplicates(int count) {
  std::vector<MPI_Comm> comms;
  for (int i = 0; i < count; ++i) comms.push_back(duplicate(MPI_COMM_WORLD));
  return comms;
}

/// A hang is a failure that names its case, long before the timeout of the suite. `what` is a literal.
inline const char* current_case = "start";
inline void begin_case(const char* what, unsigned seconds = 60) {
  current_case = what;
  signal(SIGALRM, [](int) {
    const char text[] = ": hangs\n";
    if (write(STDERR_FILENO, current_case, std::strlen(current_case)) < 0) _exit(3);
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0) _exit(3);
    _exit(2);
  });
  alarm(seconds);
}

/// 0 to count-1 in an order of its own for each seed.
inline std::vector<std::size_t> shuffled(std::size_t count, unsigned seed) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(seed));
  return order;
}

}  // namespace foldlane::testing
