/* What programs of several ranks check with, in C and C++: what does not hold ends the job and says where. */
#pragma once

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((noreturn)) static inline void end_job(const char* file, int line, const char* what) {
  int active = 0, finalized = 0, rank = -1;
  MPI_Initialized(&active);
  MPI_Finalized(&finalized);
  if (active && !finalized) MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  fprintf(stderr, "%s:%d: rank %d: %s\n", file, line, rank, what);
  MPI_Abort(MPI_COMM_WORLD, 1);
  abort();
}

#define give_up(what) end_job(__FILE__, __LINE__, what)

/* `what` says what is expected. */
#define expect_that(condition, what) ((condition) ? (void)0 : give_up(what))

/* Where the condition says it itself. */
#define expect(condition) expect_that(condition, #condition)

#ifdef __cplusplus
#include <string>

[[noreturn]] inline void end_job(const char* file, int line, const std::string& what) {
  end_job(file, line, what.c_str());
}
#endif
