#include "matching/mpi/watch.hpp"

#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

namespace foldlane::matching {

namespace {

char programs[kMostThreads][64];  // by thread; empty without one
thread_local int own_number = 0;

void write_out(const char* text) {
  if (write(STDERR_FILENO, text, std::strlen(text)) < 0) _exit(3);
}

/// None of the threads has begun a program for long, so all that are left hang.
void name_what_hangs(int) {
  for (const char* const program : programs) {
    if (*program == 0) continue;
    write_out(program);
    write_out(" hangs\n");
  }
  _exit(2);
}

void end_failed_call(MPI_Comm*, int* code, ...) {
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(*code, text, &length);
  std::fprintf(stderr, "%s has a call that fails: %s\n", programs[own_number], text);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

}  // namespace

void watch(int thread, const char* kind, std::uint64_t seed) {
  constexpr unsigned kSeconds = 120;
  own_number = thread;
  std::snprintf(programs[thread], sizeof programs[thread], "%s program %llu", kind,
                static_cast<unsigned long long>(seed));
  signal(SIGALRM, name_what_hangs);
  alarm(kSeconds);
}

void end_watch(int thread) { programs[thread][0] = 0; }

void end_job_when_calls_fail(MPI_Comm comm) {
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(end_failed_call, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  MPI_Errhandler_free(&handler);
}

}  // namespace foldlane::matching
