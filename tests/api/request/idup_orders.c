/* Ranks that wait for two duplicates of one communicator in different orders, while the last rank is late:
 * whoever waits for one request moves the other one too. Argument: one_by_one or all. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kRounds = 40, kDuplicates = 2 };

static int rank, size;

static void expect(int condition, const char* what) {
  if (condition) return;
  fprintf(stderr, "rank %d of %d: %s\n", rank, size, what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Late enough for the others to stand in their waits: it begins after they have. */
static void be_late(void) {
  if (rank + 1 < size) return;
  for (double begin = MPI_Wtime(); MPI_Wtime() - begin < 0.002;) continue;
}

static void wait_one_by_one(MPI_Request* requests) {
  for (int i = 0; i < kDuplicates; ++i) {
    const int index = rank % 2 == 0 ? i : kDuplicates - 1 - i;
    MPI_Wait(&requests[index], MPI_STATUS_IGNORE);
    expect(requests[index] == MPI_REQUEST_NULL, "a complete request is not null");
  }
}

static void wait_for_all(MPI_Request* requests) {
  MPI_Request in_order[kDuplicates];
  for (int i = 0; i < kDuplicates; ++i) in_order[i] = requests[rank % 2 == 0 ? i : kDuplicates - 1 - i];
  MPI_Waitall(kDuplicates, in_order, MPI_STATUSES_IGNORE);
}

static void use(MPI_Comm comm) {
  int one = 1, sum = 0;
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
  expect(sum == size, "a duplicate does not reduce over everybody");
}

/* New lines for each duplicate: those of communicators that were freed are ready before anybody asks. */
int main(int argc, char** argv) {
  MPI_Comm copies[kRounds][kDuplicates];
  void (*const wait)(MPI_Request*) = argc > 1 && strcmp(argv[1], "all") == 0 ? wait_for_all : wait_one_by_one;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int round = 0; round < kRounds; ++round) {
    MPI_Request requests[kDuplicates];
    be_late();
    for (int i = 0; i < kDuplicates; ++i) MPI_Comm_idup(MPI_COMM_WORLD, &copies[round][i], &requests[i]);
    wait(requests);
  }
  for (int round = 0; round < kRounds; ++round) {
    for (int i = 0; i < kDuplicates; ++i) {
      use(copies[round][i]);
      MPI_Comm_free(&copies[round][i]);
    }
  }
  MPI_Finalize();
  return 0;
}
