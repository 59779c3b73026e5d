#include "solve.h"

#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void* allocate(size_t count, size_t element_bytes) {
  void* memory = calloc(count > 0 ? count : 1, element_bytes);
  if (memory == NULL) {
    fprintf(stderr, "pagerank: out of memory for %zu elements of %zu bytes\n", count, element_bytes);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  }
  return memory;
}

// ---- Who does what ----

static size_t share_begin(size_t count, int index, int shares) {
  return count / (size_t)shares * (size_t)index + count % (size_t)shares * (size_t)index / (size_t)shares;
}

size_t* count_incoming(const Graph* graph) {
  size_t* incoming = allocate((size_t)graph->nodes, sizeof *incoming);
  for (size_t i = 0; i < graph->edge_count; ++i) ++incoming[graph->edges[i].target];
  return incoming;
}

int* divide_nodes(const Graph* graph, int ranks) {
  int* bounds = allocate((size_t)ranks + 1, sizeof *bounds);
  size_t* incoming = count_incoming(graph);
  size_t edges_before = 0;
  int node = 0;
  for (int r = 1; r < ranks; ++r) {
    while (edges_before < share_begin(graph->edge_count, r, ranks)) edges_before += incoming[node++];
    bounds[r] = node;
  }
  bounds[ranks] = graph->nodes;
  free(incoming);
  return bounds;
}

static double* vote_weights(const Graph* graph) {
  double* weight = allocate((size_t)graph->nodes, sizeof *weight);
  for (size_t i = 0; i < graph->edge_count; ++i) weight[graph->edges[i].source] += 1;
  for (int node = 0; node < graph->nodes; ++node) weight[node] = weight[node] > 0 ? 1 / weight[node] : 0;
  return weight;
}

Part take_part(const Graph* graph, const int* bounds, int rank, int ranks) {
  size_t begin = share_begin(graph->edge_count, rank, ranks);
  return (Part){.graph = graph,
                .rank = rank,
                .ranks = ranks,
                .edges = graph->edges + begin,
                .edge_count = share_begin(graph->edge_count, rank + 1, ranks) - begin,
                .first_node = bounds[rank],
                .last_node = bounds[rank + 1],
                .vote_weight = vote_weights(graph)};
}

// ---- The computation ----

static void cast_votes(const Part* part, const double* scores, double* votes) {
  memset(votes, 0, (size_t)part->graph->nodes * sizeof *votes);
  for (size_t i = 0; i < part->edge_count; ++i) {
    Edge edge = part->edges[i];
    votes[edge.target] += scores[edge.source] * part->vote_weight[edge.source];
  }
}

// What every node gets: the undamped rest, and an equal part of the scores of nodes that vote for nobody.
static double base_score(const Part* part, const double* scores) {
  double idle = 0;
  for (int node = 0; node < part->graph->nodes; ++node) {
    if (part->vote_weight[node] == 0) idle += scores[node];
  }
  return (1 - kDamping + kDamping * idle) / part->graph->nodes;
}

static double largest_change_of_own(const Part* part, double base, const double* votes,
                                    const double* scores) {
  double change = 0;
  for (int node = part->first_node; node < part->last_node; ++node) {
    change = fmax(change, fabs(base + kDamping * votes[node] - scores[node]));
  }
  return change;
}

void update_scores(int nodes, double base, const double* votes, double* scores) {
  for (int node = 0; node < nodes; ++node) scores[node] = base + kDamping * votes[node];
}

static double* even_scores(int nodes) {
  double* scores = allocate((size_t)nodes, sizeof *scores);
  for (int node = 0; node < nodes; ++node) scores[node] = 1.0 / nodes;
  return scores;
}

static void iterate(const Part* part, Solution* s, double* all_votes) {
  int nodes = part->graph->nodes;
  double start = MPI_Wtime();
  cast_votes(part, s->scores, s->votes);
  s->base = base_score(part, s->scores);
  double computed = MPI_Wtime();
  MPI_Allreduce(s->votes, all_votes, nodes, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  double reduced = MPI_Wtime();
  s->change = largest_change_of_own(part, s->base, all_votes, s->scores);
  update_scores(nodes, s->base, all_votes, s->scores);
  s->compute_seconds += computed - start + (MPI_Wtime() - reduced);
  s->reduce_seconds[s->iterations++] = reduced - computed;
  MPI_Allreduce(MPI_IN_PLACE, &s->change, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
}

Solution solve(const Part* part, int max_iterations) {
  int nodes = part->graph->nodes;
  double* all_votes = allocate((size_t)nodes, sizeof *all_votes);
  Solution s = {.scores = even_scores(nodes),
                .votes = allocate((size_t)nodes, sizeof(double)),
                .reduce_seconds = allocate((size_t)max_iterations, sizeof(double)),
                .change = INFINITY};
  MPI_Barrier(MPI_COMM_WORLD);
  while (s.iterations < max_iterations && s.change * nodes > kSettled) iterate(part, &s, all_votes);
  free(all_votes);
  return s;
}

double* solve_alone(const Part* part, int iterations) {
  Part whole = *part;
  whole.edges = part->graph->edges;
  whole.edge_count = part->graph->edge_count;
  double* scores = even_scores(part->graph->nodes);
  double* votes = allocate((size_t)part->graph->nodes, sizeof *votes);
  for (int i = 0; i < iterations; ++i) {
    cast_votes(&whole, scores, votes);
    update_scores(part->graph->nodes, base_score(&whole, scores), votes, scores);
  }
  free(votes);
  return scores;
}
