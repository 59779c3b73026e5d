// Two ranks that answer each other's long messages by turns: one of them decides for both how these go,
// though none goes while another one comes. What goes one way only is for its receiver to decide.
#include <mpi.h>

#include <vector>

#include "support/can_pull.hpp"
#include "support/counters.hpp"
#include "support/expect.h"

namespace {

using foldlane::tests::can_pull;
using foldlane::tests::counted;

constexpr int kBytes = 64 << 10;

/// So many messages from rank 0, each of which is answered or not.
void pass(int messages, bool answered, int rank) {
  static std::vector<char> mine(kBytes), theirs(kBytes);
  const auto send = [](int to) { MPI_Send(mine.data(), kBytes, MPI_CHAR, to, 0, MPI_COMM_WORLD); };
  const auto receive = [](int from) {
    MPI_Recv(theirs.data(), kBytes, MPI_CHAR, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  };
  for (int message = 0; message < messages; ++message) {
    if (rank == 0) send(1);
    if (rank == 1) receive(0);
    if (answered && rank == 1) send(0);
    if (answered && rank == 0) receive(1);
  }
}

unsigned long agreed() { return counted("foldlane_messages_agreed"); }

}  // namespace

int main(int argc, char** argv) {
  int rank = 0, ranks = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const bool may_pull = can_pull(rank, ranks);
  constexpr unsigned long kLasting = 64;  // messages that still go as was agreed
  pass(100, true, rank);
  const unsigned long by_turns = agreed();
  expect_that((by_turns > 0) == (may_pull && rank == 0), "the lower rank decides for both where both send");
  pass(300, false, rank);
  expect_that(agreed() - by_turns <= kLasting, "and no more once the other one does not");
  MPI_Finalize();
  return 0;
}
