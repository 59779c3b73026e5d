/* Messages that nobody asks for. Their receiver keeps about 16 MiB of them, or as many as mpiexec
 * --unexpected-limit says: the others stay with their sender. It takes in more only while it waits for
 * somebody who may need that, and then as many as it must. Argument: how many MiB it may grow meanwhile. */
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { kMessages = 22000, kBytes = 1024 };
enum { kFlood = 1, kLast = 2, kNever = 3, kGoOn = 4 };
enum { kSender, kReceiver, kThird };

static char message[kBytes];
static long most_kib = 20 * 1024;

static long private_kib(void) {
  FILE* file = fopen("/proc/self/status", "r");
  char line[256];
  long kib = -1;
  while (fgets(line, sizeof line, file) != NULL) sscanf(line, "RssAnon: %ld", &kib);
  fclose(file);
  return kib;
}

static void fail(const char* what, long figure) {
  fprintf(stderr, "flood: %s: %ld\n", what, figure);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void expect_little_since(long before) {
  if (private_kib() - before > most_kib) fail("KiB kept", private_kib() - before);
}

static void send_flood(void) {
  for (int i = 0; i < kMessages; ++i) {
    memcpy(message, &i, sizeof i);
    MPI_Send(message, kBytes, MPI_BYTE, kReceiver, kFlood, MPI_COMM_WORLD);
  }
}

static void receive_flood(void) {
  for (int i = 0; i < kMessages; ++i) {
    int number = -1;
    MPI_Recv(message, kBytes, MPI_BYTE, MPI_ANY_SOURCE, kFlood, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    memcpy(&number, message, sizeof number);
    if (number != i) fail("a message has overtaken another one", i);
  }
}

static void tell(int rank, int tag) { MPI_Send(message, kBytes, MPI_BYTE, rank, tag, MPI_COMM_WORLD); }
static void hear(int rank, int tag) {
  MPI_Recv(message, kBytes, MPI_BYTE, rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* ---- within bounds */

static int sleeps(int process) {
  char path[32], text[256] = "";
  snprintf(path, sizeof path, "/proc/%d/stat", process);
  FILE* const file = fopen(path, "r");
  if (file == NULL || fgets(text, sizeof text, file) == NULL) fail("no state of process", process);
  fclose(file);
  return strstr(text, ") S ") != NULL;
}

static void tell_process(int rank) {
  const int process = (int)getpid();
  MPI_Send(&process, 1, MPI_INT, rank, kGoOn, MPI_COMM_WORLD);
}

/* Who only looks now and then does not wait: until its sender sleeps, however often it looks. */
static void look_for_something_else(int rank) {
  if (rank == kSender) {
    tell_process(kReceiver);
    send_flood();
  }
  if (rank == kReceiver) {
    const long before = private_kib();
    int process = 0;
    MPI_Recv(&process, 1, MPI_INT, kSender, kGoOn, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int asleep = 0; asleep < 20; asleep = sleeps(process) ? asleep + 1 : 0) {
      int flag = 0;
      MPI_Iprobe(kSender, kNever, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
      if (flag) fail("a message that nobody sent", asleep);
    }
    expect_little_since(before);
    receive_flood();
  }
}

/* Of ranks that have nothing but one more wait before them. */
static void let_both_fall_asleep(void) {
  int processes[2];
  for (int i = 0; i < 2; ++i)
    MPI_Recv(&processes[i], 1, MPI_INT, i, kGoOn, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int looks = 0; looks < 100;) {
    looks = sleeps(processes[0]) && sleeps(processes[1]) ? looks + 1 : 0;
    sched_yield();
  }
}

/* The third one needs nobody who is held back. Of each message that stays with its
 * sender a note is kept, and the sender looks at all of them in each step: there must not be many. */
static void wait_for_a_third_one(int rank) {
  if (rank == kSender) {
    char* const all = malloc((size_t)kMessages * kBytes);
    MPI_Request* const sends = malloc(kMessages * sizeof *sends);
    for (int i = 0; i < kMessages; ++i) {
      char* const each = all + (size_t)i * kBytes;
      memcpy(each, &i, sizeof i);
      MPI_Isend(each, kBytes, MPI_BYTE, kReceiver, kFlood, MPI_COMM_WORLD, &sends[i]);
    }
    tell_process(kThird);
    MPI_Waitall(kMessages, sends, MPI_STATUSES_IGNORE);
    free(sends);
    free(all);
  } else if (rank == kThird) {
    let_both_fall_asleep();
    tell(kReceiver, kLast);
  } else {
    const long before = private_kib();
    tell_process(kThird);
    hear(kThird, kLast);
    expect_little_since(before);
    receive_flood();
  }
}

/* ---- these would hang if nothing more were taken in */

static void wait_for_what_is_behind(int rank) {
  if (rank == kSender) {
    send_flood();
    tell(kReceiver, kLast);
  } else if (rank == kReceiver) {
    hear(kSender, kLast);
    receive_flood();
  }
}

static void look_for_what_is_behind(int rank) {
  if (rank == kSender) {
    send_flood();
    tell(kReceiver, kLast);
  } else if (rank == kReceiver) {
    for (int flag = 0; !flag;) MPI_Iprobe(kSender, kLast, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    hear(kSender, kLast);
    receive_flood();
  }
}

static void meet(int rank) {
  if (rank == kSender) send_flood();
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == kReceiver) receive_flood();
}

/* The receiver waits for the third one, and that for the sender. */
static void wait_in_a_chain(int rank) {
  if (rank == kSender) {
    send_flood();
    tell(kThird, kGoOn);
  } else if (rank == kThird) {
    hear(kSender, kGoOn);
    tell(kReceiver, kLast);
  } else {
    hear(kThird, kLast);
    receive_flood();
  }
}

static void wait_for_one_that_tests(int rank) {
  if (rank == kThird) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(message, kBytes, MPI_BYTE, kSender, kGoOn, MPI_COMM_WORLD, &request);
    for (int flag = 0; !flag;) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    tell(kReceiver, kLast);
  } else {
    wait_in_a_chain(rank);
  }
}

int main(int argc, char** argv) {
  void (*const scenes[])(int) = {
      look_for_something_else, wait_for_a_third_one,   wait_for_what_is_behind, look_for_what_is_behind, meet,
      wait_in_a_chain,         wait_for_one_that_tests};
  MPI_Init(&argc, &argv);
  if (argc > 1) most_kib = atol(argv[1]) * 1024;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (size_t i = 0; i < sizeof scenes / sizeof *scenes; ++i) {
    scenes[i](rank);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
