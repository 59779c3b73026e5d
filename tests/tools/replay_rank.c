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

static void receive_while_sending(void) {
  for (int i = 0; i < kRounds * kWorkers; ++i) {
    int got = -1;
    MPI_Status status;
    if (i % 2) {
      MPI_Sendrecv(&i, 1, MPI_INT, MPI_PROC_NULL, 0, &got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG,
                   MPI_COMM_WORLD, &status);
    } else {
      MPI_Request request;
      MPI_Isendrecv(&i, 1, MPI_INT, MPI_PROC_NULL, 0, &got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG,
                    MPI_COMM_WORLD, &request);
      MPI_Wait(&request, &status);
    }
    printf("sendrecv %d from %d: %d\n", i, status.MPI_SOURCE, got);
  }
}

/* Receives of whatever comes. */
static void start(int count, int* got, MPI_Request* requests) {
  for (int i = 0; i < count; ++i)
    MPI_Irecv(&got[i], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[i]);
}

static void test_sets(void) {
  enum { kEach = 5 };
  MPI_Request requests[kEach];
  int got[kEach], indices[kEach], flag = 0, misses = 0;
  start(kEach, got, requests);
  for (; !flag; misses += !flag) MPI_Testall(kEach, requests, &flag, MPI_STATUSES_IGNORE);
  printf("all %d %d after %d\n", got[0], got[kEach - 1], misses);
  start(kEach, got, requests);
  for (int i = 0; i < kEach; ++i) {
    int index = -1;
    for (flag = misses = 0; !flag; misses += !flag)
      MPI_Testany(kEach, requests, &index, &flag, MPI_STATUS_IGNORE);
    printf("any %d: %d after %d\n", index, got[index], misses);
  }
  start(kEach, got, requests);
  for (int left = kEach, count = 0; left > 0; left -= count) {
    MPI_Waitsome(kEach, requests, &count, indices, MPI_STATUSES_IGNORE);
    printf("some:");
    for (int i = 0; i < count; ++i) printf(" %d", indices[i]);
    printf("\n");
  }
}

static void look_only(void) {
  enum { kEach = 3, kSets = kRounds * kWorkers / kEach };
  MPI_Request requests[kEach];
  int got[kEach], indices[kEach];
  for (int set = 0; set < kSets; ++set) {
    int flag = 0, count = 0, index = -1, single = 0, one = 0, some = 0, all = 0;
    start(kEach, got, requests);
    for (; !flag; single += !flag) MPI_Request_get_status(requests[1], &flag, MPI_STATUS_IGNORE);
    for (flag = 0; !flag; one += !flag)
      MPI_Request_get_status_any(kEach, requests, &index, &flag, MPI_STATUS_IGNORE);
    for (; count < 2; ++some)
      MPI_Request_get_status_some(kEach, requests, &count, indices, MPI_STATUSES_IGNORE);
    for (flag = 0; !flag; all += !flag)
      MPI_Request_get_status_all(kEach, requests, &flag, MPI_STATUSES_IGNORE);
    MPI_Waitall(kEach, requests, MPI_STATUSES_IGNORE);
    printf("looks %d, %d for %d, %d for %d and %d of %d, %d\n", single, one, index, some, indices[0],
           indices[1], count, all);
  }
}

static void match_or_persist(void) {
  MPI_Request request;
  int got = -1;
  MPI_Status status;
  MPI_Recv_init(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
  for (int i = 0; i < kRounds * kWorkers; ++i) {
    if (i % 2) {
      MPI_Message message;
      MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status);
      MPI_Mrecv(&got, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    } else {
      MPI_Start(&request);
      MPI_Wait(&request, &status);
    }
    printf("match %d from %d: %d\n", i, status.MPI_SOURCE, got);
  }
  MPI_Request_free(&request);
}

/* Of each sender, and of anybody: until each message is received. */
static void give_up(void) {
  int left[kWorkers] = {kRounds, kRounds, kRounds};
  for (int i = 0, total = kRounds * kWorkers; total > 0; ++i) {
    const int source = left[i % kWorkers] > 0 && i % 4 ? 1 + i % kWorkers : MPI_ANY_SOURCE;
    int got = -1, cancelled = 0;
    MPI_Request request;
    MPI_Status status;
    MPI_Irecv(&got, 1, MPI_INT, source, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
    dawdle();
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &cancelled);
    printf("cancel %d of %d: %d %d\n", i, source, cancelled, got);
    if (!cancelled) --left[status.MPI_SOURCE - 1], --total;
  }
}

enum { kParts = 8 };

static void see_partitions(void) {
  int data[kParts];
  MPI_Request request;
  MPI_Precv_init(data, kParts, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  MPI_Start(&request);
  for (int i = 0; i < kParts; ++i) {
    int flag = 0, misses = 0;
    for (; !flag; misses += !flag) MPI_Parrived(request, i, &flag);
    printf("part %d: %d after %d\n", i, data[i], misses);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
}

static void send_partitions(int tag) {
  int data[kParts] = {0};
  MPI_Request request;
  (void)tag;
  if (rank != 1) return;
  MPI_Psend_init(data, kParts, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  MPI_Start(&request);
  for (int i = 0; i < kParts; ++i) {
    dawdle();
    data[i] = i;
    MPI_Pready(i, request);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  state = (unsigned)getpid() * 2654435761u;
  static const struct {
    void (*receive)(void);
    void (*send)(int tag);
  } parts[] = {
      {receive_from_anybody, send_some},
      {wait_for_any, send_some},
      {look_and_take, send_some},
      {probe_and_test, send_some},
      {receive_while_sending, send_some},
      {test_sets, send_some},
      {look_only, send_some},
      {match_or_persist, send_some},
      {give_up, send_some},
      {see_partitions, send_partitions},
  };
  for (int part = 0; part < (int)(sizeof parts / sizeof *parts); ++part) {
    if (rank == 0) {
      parts[part].receive();
    } else {
      parts[part].send(kTag + 2 * part);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
