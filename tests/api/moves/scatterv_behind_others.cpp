// MPI_Scatterv behind calls that have only been started, on communicators that are new: whoever drives these,
// as a progress thread, is the first to use what the blocking call uses, too.
#include <mpi.h>

#include <array>
#include <cstddef>
#include <vector>

#include "support/expect.h"

namespace {

/// A block of `count` for each rank, and a place for the own one.
struct Scattered {
  Scattered(int rank, int ranks, int count, int seed)
      : first(seed + 100 * rank),
        counts(static_cast<std::size_t>(ranks), count),
        taken(static_cast<std::size_t>(count)) {
    for (int to = 0; to < ranks; ++to) {
      places.push_back(to * count);
      for (int i = 0; i < count; ++i) sent.push_back(seed + 100 * to + i);
    }
  }
  void expect_taken(const char* what) const {
    bool right = true;
    for (std::size_t i = 0; i < taken.size(); ++i) right = right && taken[i] == first + static_cast<int>(i);
    expect_that(right, what);
  }

  int first;
  std::vector<int> counts, places, sent, taken;
};

void call(int round) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  int rank = 0, ranks = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  const int root = round % ranks, count = round % 2 == 0 ? 1 : 50;
  Scattered started(rank, ranks, count, round), blocking(rank, ranks, 2, 7 * round);
  std::array<MPI_Request, 2> requests{};
  MPI_Ibarrier(comm, &requests[0]);
  MPI_Iscatterv(started.sent.data(), started.counts.data(), started.places.data(), MPI_INT,
                started.taken.data(), count, MPI_INT, root, comm, &requests[1]);
  MPI_Scatterv(blocking.sent.data(), blocking.counts.data(), blocking.places.data(), MPI_INT,
               blocking.taken.data(), 2, MPI_INT, root, comm);
  blocking.expect_taken("MPI_Scatterv behind calls that were started");
  MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
  started.expect_taken("MPI_Iscatterv");
  MPI_Comm_free(&comm);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  for (int round = 0; round < 60; ++round) call(round);
  MPI_Finalize();
  return 0;
}
