/* A profiling tool: MPI_X defined by the program, which counts the call and passes it on to PMPI_X. */
#pragma once

#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { kMostNames = 64 };

static const char* seen_names[kMostNames];
static int seen_counts[kMostNames], seen_used = 0;

static inline void seen(const char* name) {
  int i = 0;
  while (i < seen_used && strcmp(seen_names[i], name) != 0) ++i;
  if (i == seen_used) seen_names[seen_used++] = name;
  ++seen_counts[i];
}

#define WRAP(name, parameters, arguments) \
  int MPI_##name parameters {             \
    seen("MPI_" #name);                   \
    return PMPI_##name arguments;         \
  }

/* The exit status of a program that should have made `calls` different calls, each once. */
static inline int not_each_once(int calls) {
  int wrong = seen_used != calls;
  if (wrong) fprintf(stderr, "the tool saw %d calls instead of %d\n", seen_used, calls);
  for (int i = 0; i < seen_used; ++i) {
    if (seen_counts[i] == 1) continue;
    fprintf(stderr, "the tool saw %d calls of %s instead of one\n", seen_counts[i], seen_names[i]);
    wrong = 1;
  }
  return wrong;
}
