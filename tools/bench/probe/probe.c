/* The measurement program of `foldlane bench`: plain MPI, the same source for every implementation.
 *
 *   probe SOCKET CPUS CLOCK LEVEL
 *     SOCKET  abstract UNIX socket of the driver; each rank connects, is given a file to map, and then does
 *             what the lines it reads say (commands.c), asleep in read() in between, so that other
 *             implementations can be measured meanwhile
 *     CPUS    "0,1": thread t of rank r runs on the CPU at place t x ranks + r modulo their number;
 *             "-": wherever it is put
 *     CLOCK   "counter": the CPU's time stamp counter, if it is the same on all CPUs;
 *             "system": CLOCK_MONOTONIC
 *     LEVEL   of threads: "single" (MPI_Init), or "multiple"
 *
 *   probe setting NAME
 *     exits with 0 if the implementation has a control variable of this name, else with 1
 *
 * Ranks start a stamped call together: rank 0 names a time a little ahead and all spin until then. Neither
 * this nor anything else between two calls uses the MPI under test. */
#define _GNU_SOURCE
#include "probe.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int rank, ranks;

static const char* cpus;

void die(const char* what) {
  fprintf(stderr, "probe: rank %d: %s\n", rank, what);
  _exit(3);
}

void die_of(int code) {
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(code, text, &length);
  die(text);
}

/* What the launchers call the rank, needed before MPI_Init: memory should be touched on the right CPU. */
static int rank_in_environment(void) {
  static const char* const names[] = {"FOLDLANE_RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (getenv(names[i]) != NULL) return atoi(getenv(names[i]));
  return -1;
}

void run_on_cpu_of(int runner) {
  int number = 1;
  cpu_set_t mask;
  if (*cpus == '-') return;
  for (const char* c = cpus; *c; ++c) number += *c == ',';
  const char* own = cpus;
  for (int skip = runner % number; skip > 0; --skip) own = strchr(own, ',') + 1;
  CPU_ZERO(&mask);
  CPU_SET((size_t)atoi(own), &mask);
  if (sched_setaffinity(0, sizeof mask, &mask) != 0) die("cannot run on the CPU it was given");
}

/* Asked without a launcher, so before MPI_Init. */
static int has_setting(const char* name) {
  int provided = 0, index = 0;
  if (MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS) return 0;
  const int code = MPI_T_cvar_get_index(name, &index);
  MPI_T_finalize();
  return code == MPI_SUCCESS;
}

static void initialise(int* argc, char*** argv, int is_multiple) {
  int provided = MPI_THREAD_MULTIPLE;
  if (is_multiple) {
    MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided);
  } else {
    MPI_Init(argc, argv);
  }
  if (provided < MPI_THREAD_MULTIPLE) die("this MPI has no MPI_THREAD_MULTIPLE");
}

int main(int argc, char** argv) {
  if (argc == 3 && strcmp(argv[1], "setting") == 0) return has_setting(argv[2]) ? 0 : 1;
  if (argc != 5) die("usage: probe SOCKET CPUS CLOCK LEVEL (it is started by foldlane bench)");
  const int early_rank = rank = rank_in_environment();
  cpus = argv[2];
  if (early_rank >= 0) run_on_cpu_of(rank);
  initialise(&argc, &argv, strcmp(argv[4], "multiple") == 0);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (rank != early_rank) run_on_cpu_of(rank);
  uses_counter = strcmp(argv[3], "counter") == 0;

  const int driver = connect_to(argv[1]);
  receive_window(driver);
  char line[256];
  FILE* const commands = fdopen(driver, "r");
  dprintf(driver, "rank %d of %d\n", rank, ranks);
  while (fgets(line, sizeof line, commands) != NULL && strncmp(line, "quit", 4) != 0) {
    char answer[64];
    obey(line, answer, sizeof answer);
    if (write(driver, answer, strlen(answer)) < 0) break;
  }
  free_requests();
  free_ring();
  free_comms();
  return MPI_Finalize();
}
