/* What the programs of these tests share. */
#pragma once

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void expect(int holds, const char* what) {
  if (holds) return;
  fprintf(stderr, "wrong: %s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static inline int rank_in(MPI_Comm comm) {
  int rank = -1;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

static inline int size_of(MPI_Comm comm) {
  int size = -1;
  MPI_Comm_size(comm, &size);
  return size;
}

/* Of the ranks 0 to n - 1, plus one each. */
static inline int sum_of(int n) { return n * (n + 1) / 2; }

static inline void check_sum(MPI_Comm comm) {
  int one = rank_in(comm) + 1, sum = 0;
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
  expect(sum == sum_of(size_of(comm)), "a sum over the ranks of a communicator");
}
