/* Preloaded before all else: how long rank 0 is in collective calls that block, whoever carries them out.
   Fortran layers call MPI_X or PMPI_X, so both are timed; of a call within a call only the outer one counts.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef uintptr_t word; /* as in the stub (api/host/generate.py) */

static atomic_ulong inside_ns, calls;
static _Thread_local int depth;

static unsigned long now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (unsigned long)now.tv_sec * 1000000000 + (unsigned long)now.tv_nsec;
}

/* RTLD_NEXT does not see the MPI of a Python module. */
static void* next(const char* name) {
  void* const found = dlsym(RTLD_NEXT, name);
  return found != NULL ? found : dlsym(dlopen("libmpi.so.40", RTLD_LAZY | RTLD_NOLOAD), name);
}

static unsigned long enter(void) { return depth++ == 0 ? now_ns() : 0; }

static void leave(unsigned long start) {
  if (--depth > 0) return;
  inside_ns += now_ns() - start;
  ++calls;
}

#define RETURN_TIMED(function, name, arguments)          \
  if (function == NULL) *(void**)&function = next(name); \
  const unsigned long start = enter();                   \
  const int result = function arguments;                 \
  leave(start);                                          \
  return result

#include "timed_calls.inc"

__attribute__((destructor)) static void report(void) {
  const char* rank = getenv("OMPI_COMM_WORLD_RANK");
  if (rank == NULL) rank = getenv("PMI_RANK");
  if (calls > 0 && rank != NULL && atoi(rank) == 0)
    fprintf(stderr, "timer: %lu calls, %.6f s\n", calls, 1e-9 * (double)inside_ns);
}
