// What must hold of the input and of the result. All are collective; rank 0 prints, and only its answer
// counts.
#pragma once

#include <stdbool.h>

#include "solve.h"

// A package installed while the job starts would give the ranks different graphs, and vectors of different
// length: that ends the job.
void require_same_graph(const Graph* graph, int rank);

// The same scores must have the same bits on all ranks.
bool check_same_bits(const Part* part, const double* scores);

// Adds the last votes up once more, each owner receiving only its block, and compares the scores that follow.
// MPI allows another order of addition here, hence not bit by bit.
bool check_owned_blocks(const Part* part, const int* bounds, const Solution* s);

bool check_against_serial(const Part* part, const Solution* s);
