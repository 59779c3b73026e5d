/* Rank 0 says what it gets from the others, in which order and after how much looking: no two runs are alike.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { kRounds = 5, kTag = 3, kWorkers = 3 };

static int rank;
static unsigned state;

/* A while that nobody foresees. */
static void dawdle(void) {
  state = state * 1664525u + 1013904223u;
  const double until = MPI_Wtime() + (state >> 20) * 1e-7;
  while (MPI_Wtime() < until) {
  }
}

static void send_some(int tag) {
  for (int i = 0; i < kRounds; ++i) {
    dawdle();
    MPI_Send(&i, 1, MPI_INT, 0, tag + i % 2, MPI_COMM_WORLD);
  }
}

static void receive_from_anybody(void) {
  for (int i = 0; i < kRounds * kWorkers; ++i) {
    int got = -1;
    MPI_Status status;
    MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    printf("recv %d %d %d\n", status.MPI_SOURCE, status.MPI_TAG, got);
  }
}

static void wait_for_any(void) {
  MPI_Request requests[kRounds * kWorkers];
  int got[kRounds * kWorkers];
  for (int i = 0; i < kRounds * kWorkers; ++i)
    MPI_Irecv(&got[i], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[i]);
  for (int i = 0; i < kRounds; ++i) {
    int index = -1;
    MPI_Status status;
    MPI_Waitany(kRounds * kWorkers, requests, &index, &status);
    printf("any %d from %d\n", index, status.MPI_SOURCE);
  }
  for (int left = kRounds * kWorkers - kRounds; left > 0;) {
    int count = 0, indices[kRounds * kWorkers], misses = 0;
    while (count == 0) {
      MPI_Testsome(kRounds * kWorkers, requests, &count, indices, MPI_STATUSES_IGNORE);
      misses += count == 0;
    }
    printf("some after %d:", misses);
    for (int i = 0; i < count; ++i) printf(" %d", indices[i]);
    printf("\n");
    left -= count;
  }
}

static void look_and_take(void) {
  for (int i = 0; i < kRounds * kWorkers; ++i) {
    int flag = 0, misses = 0, got = -1;
    MPI_Status status;
    MPI_Message message;
    if (i % 2) {
      for (; !flag; misses += !flag) MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
      MPI_Recv(&got, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      for (; !flag; misses += !flag)
        MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &message, &status);
      MPI_Mrecv(&got, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    }
    printf("look %d from %d: %d after %d\n", i, status.MPI_SOURCE, got, misses);
  }
}

static void probe_and_test(void) {
  for (int i = 0; i < kRounds * kWorkers; ++i) {
    int got = -1, flag = 0, misses = 0;
    MPI_Status status;
    MPI_Request request;
    if (i % 2) {
      MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
      MPI_Irecv(&got, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &request);
    } else {
      MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
    }
    for (; !flag; misses += !flag) MPI_Test(&request, &flag, &status);
    printf("test %d from %d: %d after %d\n", i, status.MPI_SOURCE, got, misses);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  state = (unsigned)getpid() * 2654435761u;
  void (*const parts[])(void) = {receive_from_anybody, wait_for_any, look_and_take, probe_and_test};
  for (int part = 0; part < (int)(sizeof parts / sizeof *parts); ++part) {
    if (rank == 0) {
      parts[part]();
    } else {
      send_some(kTag + 2 * part);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
