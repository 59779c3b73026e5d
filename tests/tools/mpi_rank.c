/* A rank of an MPI job that misbehaves as it is told: the subject of the failure tests. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int world_rank(void) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

static void allreduce_for_ever(void) {
  long in = 1, out = 0;
  for (;;) MPI_Allreduce(&in, &out, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
}

static void say_pid(void) {
  printf("%d\n", (int)getpid());
  fflush(stdout);
}

/* The others say their number before they wait in MPI_Init, which must not let them through. */
static void leave_before_init(int* argc, char*** argv) {
  say_pid();
  if (strcmp(getenv("FOLDLANE_RANK"), "1") == 0) exit(0);
  MPI_Init(argc, argv);
  puts("joined");
}

/* The memory of a process is gone before its parent can know of its end, the longer the more of it there is.
 */
static int has_memory(long pid) {
  char path[32];
  snprintf(path, sizeof path, "/proc/%ld/cmdline", pid);
  FILE* const file = fopen(path, "r");
  const int first = file != NULL ? fgetc(file) : EOF;
  if (file != NULL) fclose(file);
  return first != EOF;
}

/* Rank 1 is killed, and rank 0 has left before the launcher can see that. */
static void die_slowly(void) {
  enum { BYTES = 256 << 20 };
  long pid = (long)getpid();
  MPI_Bcast(&pid, 1, MPI_LONG, 1, MPI_COMM_WORLD);
  if (world_rank() == 1) {
    memset(malloc(BYTES), 1, BYTES);
    raise(SIGKILL);
  }
  if (world_rank() != 0) return;
  while (has_memory(pid)) continue;
  _exit(0);
}

static int say_who(void) {
  int size, is_known;
  char most[16] = "";
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Info_get(MPI_INFO_ENV, "maxprocs", sizeof most - 1, most, &is_known);
  printf("rank %d of %d, maxprocs %s\n", world_rank(), size, is_known ? most : "unknown");
  return MPI_Finalize();
}

/* usage: mpi_rank WHAT; rank 1 misbehaves, the others wait for it */
int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "leave-before-init") == 0) {
    leave_before_init(&argc, &argv);
    return 0;
  }
  MPI_Init(&argc, &argv);
  if (strcmp(what, "who") == 0) return say_who();
  say_pid();
  MPI_Barrier(MPI_COMM_WORLD);
  if (strcmp(what, "fine") == 0) {
    MPI_Finalize();
    return 0;
  }
  if (strcmp(what, "fail-after-finalize") == 0) {
    const int rank = world_rank();
    MPI_Finalize();
    if (rank == 1) return 5;
    usleep(200 * 1000); /* must not be cut short by the failure of rank 1 */
    puts("done");
    return 0;
  }
  if (strcmp(what, "die-slowly") == 0) die_slowly();
  if (world_rank() == 1) {
    if (strcmp(what, "abort") == 0) MPI_Abort(MPI_COMM_WORLD, 17);
    if (strcmp(what, "abort-zero") == 0) MPI_Abort(MPI_COMM_WORLD, 0);
    if (strcmp(what, "leave") == 0) return 0;
    if (strcmp(what, "exit") == 0) return 6;
    if (strcmp(what, "crash") == 0) raise(SIGSEGV);
  }
  allreduce_for_ever();
}
