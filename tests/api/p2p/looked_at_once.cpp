// Who has looked for messages once, and neither sent nor received any, must look at them in its other waits,
// too: its senders have seen that it looks, and knock no more. Else they would wait for room for ever.
#include <mpi.h>

#include <array>

#include "support/expect.h"

namespace {

constexpr int kMessages = 200;  // more than there is room for in a lane
constexpr int kInts = 16;       // in a cell of its own

using Message = std::array<int, kInts>;

void send(int first, int count, int to) {
  for (int i = first; i < first + count; ++i) {
    Message message{};
    message.fill(i);
    MPI_Send(message.data(), kInts, MPI_INT, to, 7, MPI_COMM_WORLD);
  }
}

void receive(int first, int count, int from) {
  for (int i = first; i < first + count; ++i) {
    Message message{};
    MPI_Recv(message.data(), kInts, MPI_INT, from, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    expect_that(message.front() == i && message.back() == i, "messages in their order");
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) send(0, 1, 1);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) MPI_Probe(0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) send(1, kMessages, 1);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) receive(0, kMessages + 1, 0);
  MPI_Finalize();
  return 0;
}
