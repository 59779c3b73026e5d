/* Messages that nobody asks for: a receiver that looks for something else keeps about 16 MiB of them, and one
 * that waits for a message behind them takes in as many as it must. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMessages = 40000, kBytes = 1024, kMostKiB = 20 * 1024 };
enum { kFlood = 1, kLast = 2, kNever = 3 };

static char message[kBytes];

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

static void send_all(void) {
  for (int i = 0; i < kMessages; ++i) {
    memcpy(message, &i, sizeof i);
    MPI_Send(message, kBytes, MPI_BYTE, 1, kFlood, MPI_COMM_WORLD);
  }
  MPI_Send(message, kBytes, MPI_BYTE, 1, kLast, MPI_COMM_WORLD);
}

static void receive_last(void) {
  MPI_Recv(message, kBytes, MPI_BYTE, 0, kLast, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void receive_flood(void) {
  for (int i = 0; i < kMessages; ++i) {
    int number = -1;
    MPI_Recv(message, kBytes, MPI_BYTE, MPI_ANY_SOURCE, kFlood, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    memcpy(&number, message, sizeof number);
    if (number != i) fail("a message has overtaken another one", i);
  }
}

/* Long after the sender had to stop. */
static void look_for_something_else(void) {
  const long before = private_kib();
  for (int i = 0; i < 5000; ++i) {
    int flag = 0;
    MPI_Iprobe(0, kNever, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    if (flag) fail("a message that nobody sent", i);
  }
  if (private_kib() - before > kMostKiB) fail("KiB kept", private_kib() - before);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int waits = 0; waits < 2; ++waits) {
    if (rank == 0) {
      send_all();
    } else if (waits) {
      receive_last(); /* would hang if nothing more were taken in */
      receive_flood();
    } else {
      look_for_something_else();
      receive_flood();
      receive_last();
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
