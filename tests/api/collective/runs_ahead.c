/* A root of short broadcasts does not wait for readers that have not come: they come when a fifo says that it
 * has made 32 of them. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/expect.h"

enum { kAhead = 32 };

static void broadcast(int rank) {
  for (int call = 0; call < kAhead; ++call) {
    long data = rank == 0 ? call : -1;
    MPI_Bcast(&data, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    expect(data == call);
  }
}

/* Each open waits for the other one. */
static void meet_at(const char* fifo, int rank) {
  const int file = open(fifo, (rank == 0 ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
  expect_that(file >= 0, "opening the fifo");
  close(file);
}

int main(int argc, char** argv) {
  int rank = 0;
  MPI_Init(&argc, &argv);
  expect_that(argc == 2, "usage: runs_ahead FIFO");
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    unlink(argv[1]);
    expect_that(mkfifo(argv[1], 0600) == 0, "making the fifo");
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) broadcast(rank);
  meet_at(argv[1], rank);
  if (rank != 0) broadcast(rank);
  if (rank == 0) unlink(argv[1]);
  MPI_Finalize();
  return 0;
}
