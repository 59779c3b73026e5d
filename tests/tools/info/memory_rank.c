/* Says what of the job's segment is committed, in steps of which each needs more: "STEP BYTES" for each. */
#define _GNU_SOURCE
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MESSAGES = 40, MESSAGE_BYTES = 8 << 10, LONG_MESSAGES = 3, LONG_BYTES = 1 << 20, INTS = 2048 };

static int rank, ranks, segment;

/* The library closes its own descriptor. */
static void keep_segment(void) { segment = dup(atoi(getenv("FOLDLANE_SEGMENT_FD"))); }

static void say(const char* step) {
  struct stat found;
  if (fstat(segment, &found) != 0) MPI_Abort(MPI_COMM_WORLD, 1);
  printf("%s %lld\n", step, (long long)found.st_blocks * 512);
}

/* After everybody has done the step, and before anybody goes on. */
static void say_of_all(const char* step) {
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) say(step);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void reduce(MPI_Comm comm) {
  static int sent[INTS], received[INTS];
  MPI_Allreduce(sent, received, INTS, MPI_INT, MPI_SUM, comm);
}

static void send_to_all(void) {
  int received;
  for (int other = 0; other < ranks; ++other)
    if (other != rank)
      MPI_Sendrecv(&rank, 1, MPI_INT, other, 0, &received, 1, MPI_INT, other, 0, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
}

/* Rank 1 is not in MPI while rank 0 sends, so that nothing is taken and comes back. */
static void send_to_absent(const char* step, int messages, int bytes) {
  static char room[LONG_MESSAGES * LONG_BYTES];
  MPI_Request requests[MESSAGES];
  sigset_t usr1;
  int number, peer = (int)getpid();
  sigemptyset(&usr1);
  sigaddset(&usr1, SIGUSR1);
  sigprocmask(SIG_BLOCK, &usr1, NULL);
  MPI_Bcast(&peer, 1, MPI_INT, 1, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) sigwait(&usr1, &number);
  for (int i = 0; i < messages && rank < 2; ++i) {
    char* const at = room + (size_t)i * (size_t)bytes;
    if (rank == 0) MPI_Isend(at, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &requests[i]);
    if (rank == 1) MPI_Irecv(at, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &requests[i]);
  }
  if (rank == 0) {
    say(step);
    kill(peer, SIGUSR1);
  }
  if (rank < 2) MPI_Waitall(messages, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char** argv) {
  MPI_Comm copy, pair;
  keep_segment();
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  say_of_all("world");
  reduce(MPI_COMM_WORLD);
  say_of_all("reduced");
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Barrier(copy);
  say_of_all("copy");
  MPI_Comm_split(MPI_COMM_WORLD, rank < 2 ? 0 : MPI_UNDEFINED, rank, &pair);
  if (pair != MPI_COMM_NULL) MPI_Barrier(pair);
  say_of_all("pair");
  if (pair != MPI_COMM_NULL) reduce(pair);
  say_of_all("pair_reduced");
  send_to_all();
  say_of_all("lanes");
  send_to_absent("blocks", MESSAGES, MESSAGE_BYTES);
  send_to_absent("transfers", LONG_MESSAGES, LONG_BYTES);
  MPI_Finalize();
  return 0;
}
