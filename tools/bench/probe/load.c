/* Computing beside a call. */
#define _GNU_SOURCE
#include <stdio.h>
#include <time.h>

#include "probe.h"

/* What `load` says: microseconds of computing between start and wait, and between two tests (0: none), and by
 * how much the last rank is late, which then does not compute but waits. */
static struct {
  int communicates;
  double compute, test_every, late;
} load;

/* Nothing that needs memory; a chain, so that every step waits for the one before. */
static void work_steps(uint64_t steps) {
  static uint64_t state = 1;
  uint64_t value = state;
  for (; steps > 0; --steps) {
    value = value * 6364136223846793005U + 1442695040888963407U;
    __asm__ volatile("" : "+r"(value));
  }
  state = value;
}

static double now_us(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

static double steps_per_us;

/* The best of a few tries: a step may take longer than it needs, never less. */
static void calibrate(void) {
  enum { TRIES = 10, STEPS = 200000 };
  for (int i = 0; i < TRIES; ++i) {
    const double before = now_us();
    work_steps(STEPS);
    const double rate = STEPS / (now_us() - before);
    if (rate > steps_per_us) steps_per_us = rate;
  }
}

static void work(double us) { work_steps((uint64_t)(us * steps_per_us)); }

static int compute(MPI_Request* request) {
  const int tests = load.communicates && load.test_every > 0;
  const double step = tests ? load.test_every : load.compute;
  int done = 0;
  for (double left = load.compute; left > 0; left -= step) {
    work(left < step ? left : step);
    const int code = tests && !done ? MPI_Test(request, &done, MPI_STATUS_IGNORE) : MPI_SUCCESS;
    if (code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}

static int run_loaded(void) {
  const int late = load.late > 0 && rank == ranks - 1;
  MPI_Request request = MPI_REQUEST_NULL;
  if (late) work(load.late);
  int code = load.communicates ? begin(&request) : MPI_SUCCESS;
  if (code == MPI_SUCCESS && !late) code = compute(&request);
  if (code == MPI_SUCCESS && load.communicates) code = MPI_Wait(&request, MPI_STATUS_IGNORE);
  return code;
}

void set_load(const char* line) {
  if (sscanf(line, "load %d %lf %lf %lf", &load.communicates, &load.compute, &load.test_every, &load.late) !=
      4)
    die("a load that cannot be read");
  if (steps_per_us == 0) calibrate();
  now.run = run_loaded;
}
