// Long messages from where their sender has sent a short while ago, and from elsewhere, are timed apart: a
// receiver's trial of the way is over after 200 messages of either or more, though as many of both together
// have come.
#include <mpi.h>

#include <cstddef>
#include <vector>

#include "support/can_pull.hpp"
#include "support/counters.hpp"
#include "support/expect.h"

namespace {

using foldlane::tests::can_pull;
using foldlane::tests::counted;

constexpr int kBytes = 64 << 10;

/// So many messages from one place, and after each of them one from a place of its own. Both are awaited: a
/// sender that is ahead makes runs longer.
void pass(int pairs, int rank) {
  static std::vector<char> same(kBytes);
  std::vector<char> others(static_cast<std::size_t>(pairs) * kBytes);
  for (int i = 0; i < pairs; ++i) {
    if (rank == 0) {
      MPI_Send(same.data(), kBytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
      MPI_Send(&others[static_cast<std::size_t>(i) * kBytes], kBytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
      MPI_Recv(nullptr, 0, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(same.data(), kBytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Recv(same.data(), kBytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(nullptr, 0, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
    }
  }
}

unsigned long trials() {
  return counted("foldlane_kept_message_way_boxes") + counted("foldlane_kept_message_way_pull");
}

}  // namespace

int main(int argc, char** argv) {
  int rank = 0, ranks = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const bool may_pull = can_pull(rank, ranks);
  // Runs of eight: 64 of them as is likely, 16 where ranks share CPUs, and two arms of two warm-ups and of
  // three or two that are timed.
  constexpr int kTooFew = 150;
  pass(kTooFew, rank);
  if (rank == 1) expect_that(trials() == 0, "no trial is over before 200 have come from such places");
  pass(1000, rank);
  if (rank == 1) expect_that((trials() > 0) == may_pull, "trials later, where a message can be pulled");
  MPI_Finalize();
  return 0;
}
