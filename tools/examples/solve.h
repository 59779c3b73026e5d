// The computation, shared out among the ranks of MPI_COMM_WORLD. What returns memory returns what free()
// takes; without memory the job ends.
#pragma once

#include <stddef.h>

#include "graph.h"

// The part of a node's score that its votes make.
static const double kDamping = 0.85;

// Iteration stops when no score changes by more than this part of the average: what is then missing to the
// limit is at most kDamping / (1 - kDamping) = 5.7 times as much.
static const double kSettled = 1e-9;

// What one rank works on.
typedef struct {
  const Graph* graph;
  int rank, ranks;
  const Edge* edges;  // its share of the edges
  size_t edge_count;
  int first_node, last_node;  // the nodes it owns, [first, last)
  double* vote_weight;        // by node: 1 / number of edges leaving it, 0 if none does
} Part;

typedef struct {
  double* scores;          // of all nodes, on every rank
  double* votes;           // cast by this rank alone in the last iteration
  double base;             // part of each score in the last iteration that is no vote
  double change;           // largest in the last iteration
  double* reduce_seconds;  // of each iteration
  double compute_seconds;
  int iterations;
} Solution;

void* allocate(size_t count, size_t element_bytes);

// Number of edges that lead to each node.
size_t* count_incoming(const Graph* graph);

// The owners divide the nodes so that about equally many edges lead to each block. A few nodes get most of
// the edges, so the blocks differ much in length and some may be empty. bounds[r] is where the block of rank
// r begins.
int* divide_nodes(const Graph* graph, int ranks);
Part take_part(const Graph* graph, const int* bounds, int rank, int ranks);

// Collective. The caller frees scores, votes and reduce_seconds.
Solution solve(const Part* part, int max_iterations);

// The same iterations by one rank alone: the scores.
double* solve_alone(const Part* part, int iterations);

void update_scores(int nodes, double base, const double* votes, double* scores);
