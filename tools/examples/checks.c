#include "checks.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// FNV-1a: any differing bit changes the result.
static uint64_t hash_bytes(const void* data, size_t bytes) {
  const unsigned char* byte = data;
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < bytes; ++i) hash = (hash ^ byte[i]) * 0x100000001b3u;
  return hash;
}

void require_same_graph(const Graph* graph, int rank) {
  uint64_t mine[3] = {(uint64_t)graph->nodes, graph->edge_count,
                      hash_bytes(graph->edges, graph->edge_count * sizeof *graph->edges)};
  uint64_t root[3];
  memcpy(root, mine, sizeof root);
  MPI_Bcast(root, 3, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  if (memcmp(root, mine, sizeof root) != 0) {
    fprintf(stderr, "pagerank: rank %d read another graph than rank 0; the file changed, run again\n", rank);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  }
}

// How far two runs that add the same terms in different order may be apart, derived and not tuned. All terms
// are positive and all scores together are 1. In one iteration, a sum of k terms has a relative error of at
// most k roundings: k is the number of incoming edges plus one addition per rank for the votes, and the
// number of nodes for the idle scores; four more roundings are outside the sums. So, summed over all nodes,
// an iteration adds no more than k * DBL_EPSILON / 2 of error and shrinks the error so far by kDamping: k *
// DBL_EPSILON / 2 / (1 - kDamping) in the limit, and twice that between two runs.
static double tolerance(const Part* part) {
  size_t* incoming = count_incoming(part->graph);
  size_t most = 0;
  for (int node = 0; node < part->graph->nodes; ++node) {
    if (incoming[node] > most) most = incoming[node];
  }
  free(incoming);
  double roundings = (double)most + part->ranks + part->graph->nodes + 4;
  return roundings * DBL_EPSILON / (1 - kDamping);
}

// NaN if any element is: fmax would hide it.
static double largest_difference(const double* a, const double* b, size_t count) {
  double largest = 0;
  for (size_t i = 0; i < count; ++i) {
    double difference = fabs(a[i] - b[i]);
    if (!(difference <= largest)) largest = difference;
    if (isnan(difference)) break;
  }
  return largest;
}

static bool check(bool ok, const char* text) {
  printf("check   %-4s %s\n", ok ? "ok" : "FAIL", text);
  return ok;
}

static bool check_difference(double difference, double allowed, const char* what) {
  char text[160];
  snprintf(text, sizeof text, "%s: largest difference %.1e, allowed %.1e", what, difference, allowed);
  return check(difference <= allowed, text);
}

bool check_same_bits(const Part* part, const double* scores) {
  uint64_t hash = hash_bytes(scores, (size_t)part->graph->nodes * sizeof *scores);
  uint64_t lowest, highest;
  MPI_Allreduce(&hash, &lowest, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
  MPI_Allreduce(&hash, &highest, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
  if (part->rank != 0) return true;
  char text[160];
  snprintf(text, sizeof text, "all %d ranks hold the same bits: hash %016" PRIx64 " to %016" PRIx64,
           part->ranks, lowest, highest);
  return check(lowest == highest, text);
}

bool check_owned_blocks(const Part* part, const int* bounds, const Solution* s) {
  int* counts = allocate((size_t)part->ranks, sizeof *counts);
  for (int r = 0; r < part->ranks; ++r) counts[r] = bounds[r + 1] - bounds[r];
  int owned = counts[part->rank];
  double* block = allocate((size_t)owned, sizeof *block);
  MPI_Reduce_scatter(s->votes, block, counts, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  update_scores(owned, s->base, block, block);
  double difference = largest_difference(block, s->scores + part->first_node, (size_t)owned);
  // MPI_MAX may drop a NaN, infinity stays.
  double mine = isnan(difference) ? INFINITY : difference, largest = 0;
  MPI_Reduce(&mine, &largest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  free(block);
  free(counts);
  return part->rank != 0 ||
         check_difference(largest, tolerance(part), "blocks of the owners agree with the whole");
}

bool check_against_serial(const Part* part, const Solution* s) {
  if (part->rank != 0) return true;
  double* alone = solve_alone(part, s->iterations);
  double difference = largest_difference(alone, s->scores, (size_t)part->graph->nodes);
  free(alone);
  return check_difference(difference, tolerance(part), "a serial run agrees");
}
