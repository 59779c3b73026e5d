// PageRank on a graph whose edges are shared out among the ranks of an MPI job.
//
// Which installed package does everything else rest on? Every package votes for the packages it depends on,
// and the vote of a package that many depend on weighs more. In each iteration a rank casts the votes of its
// share of the edges; one MPI_Allreduce adds up the votes of all ranks, so that everybody knows all scores
// again.
//
//   mpicc pagerank.c graph.c -lm -o pagerank && mpiexec -n 4 ./pagerank [file] [--iterations N] [--top N]
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph.h"

static const char kPackages[] = "/var/lib/dpkg/status";
static const double kDamping = 0.85;

// Scores are shown as multiples of the average score, with six digits after the point. Iteration stops when
// no score changes by more than this part of the average: what is then missing to the limit, at most kDamping
// / (1 - kDamping) = 5.7 times as much, is far below the last digit.
static const double kSettled = 1e-9;
static const double kShownUnits = 1e6;

typedef struct {
  const char* file;
  int max_iterations, top;
} Options;

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

static void* allocate(size_t count, size_t element_bytes) {
  void* memory = calloc(count > 0 ? count : 1, element_bytes);
  if (memory == NULL) {
    fprintf(stderr, "pagerank: out of memory for %zu elements of %zu bytes\n", count, element_bytes);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  }
  return memory;
}

// ---- Options and input ----

static bool parse_count(const char* text, int* count) {
  char* end;
  long value = text == NULL ? 0 : strtol(text, &end, 10);
  if (value < 1 || value > INT_MAX || *end != '\0') return false;
  *count = (int)value;
  return true;
}

static bool parse_options(int argc, char** argv, Options* options) {
  *options = (Options){.file = kPackages, .max_iterations = 500, .top = 20};
  bool ok = true;
  for (int i = 1; i < argc && ok; ++i) {
    if (strcmp(argv[i], "--iterations") == 0) {
      ok = parse_count(argv[++i], &options->max_iterations);
    } else if (strcmp(argv[i], "--top") == 0) {
      ok = parse_count(argv[++i], &options->top);
    } else {
      ok = argv[i][0] != '-' && options->file == kPackages;
      options->file = argv[i];
    }
  }
  return ok;
}

// Every rank reads the file. If that fails on any of them, the first such rank says why and all return false.
static bool load_graph(const char* file, int rank, int ranks, Graph* graph) {
  char error[200];
  bool ok = read_graph(file, graph, error, sizeof error);
  int failed_rank = ok ? ranks : rank;
  MPI_Allreduce(MPI_IN_PLACE, &failed_rank, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (failed_rank == rank) {
    fprintf(stderr, "pagerank: rank %d cannot read a graph from %s: %s\n", rank, file, error);
    if (file == kPackages) {
      fprintf(stderr,
              "pagerank: this is the package list of Debian; name a file with \"source target\" lines\n");
    }
  }
  if (ok && failed_rank < ranks) free_graph(graph);
  return failed_rank == ranks;
}

// FNV-1a: any differing bit changes the result.
static uint64_t hash_bytes(const void* data, size_t bytes) {
  const unsigned char* byte = data;
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < bytes; ++i) hash = (hash ^ byte[i]) * 0x100000001b3u;
  return hash;
}

// A package installed while the job starts would give the ranks different graphs, and vectors of different
// length.
static void require_same_graph(const Graph* graph, int rank) {
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

// ---- Who does what ----

static size_t share_begin(size_t count, int index, int shares) {
  return count / (size_t)shares * (size_t)index + count % (size_t)shares * (size_t)index / (size_t)shares;
}

// Number of edges that lead to each node.
static size_t* count_incoming(const Graph* graph) {
  size_t* incoming = allocate((size_t)graph->nodes, sizeof *incoming);
  for (size_t i = 0; i < graph->edge_count; ++i) ++incoming[graph->edges[i].target];
  return incoming;
}

// The owners divide the nodes so that about equally many edges lead to each block. A few nodes get most of
// the edges, so the blocks differ much in length and some may be empty. bounds[r] is where the block of rank
// r begins.
static int* divide_nodes(const Graph* graph, int ranks) {
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

static Part take_part(const Graph* graph, const int* bounds, int rank, int ranks) {
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

static void update_scores(int nodes, double base, const double* votes, double* scores) {
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

static Solution solve(const Part* part, int max_iterations) {
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

// The same iterations by one rank alone.
static double* solve_alone(const Part* part, int iterations) {
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

// ---- Checks ----

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

// Collective; the same scores must have the same bits on all ranks.
static bool check_same_bits(const Part* part, const double* scores) {
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

// Collective; adds the last votes up once more, each owner receiving only its block, and compares the scores
// that follow. MPI allows another order of addition here, hence not bit by bit.
static bool check_owned_blocks(const Part* part, const int* bounds, const Solution* s) {
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

static bool check_against_serial(const Part* part, const Solution* s) {
  if (part->rank != 0) return true;
  double* alone = solve_alone(part, s->iterations);
  double difference = largest_difference(alone, s->scores, (size_t)part->graph->nodes);
  free(alone);
  return check_difference(difference, tolerance(part), "a serial run agrees");
}

// ---- Output ----

typedef struct {
  long long shown_units;
  int node;
} Entry;

// By score as shown, so that sums in another order (other rank counts) cannot swap equals; then by name.
static int compare_entries(const void* a, const void* b) {
  const Entry *left = a, *right = b;
  if (left->shown_units != right->shown_units) return left->shown_units > right->shown_units ? -1 : 1;
  return (left->node > right->node) - (left->node < right->node);
}

static void print_top(const Graph* graph, const double* scores, int top) {
  Entry* entries = allocate((size_t)graph->nodes, sizeof *entries);
  for (int node = 0; node < graph->nodes; ++node) {
    entries[node] = (Entry){llround(scores[node] * graph->nodes * kShownUnits), node};
  }
  qsort(entries, (size_t)graph->nodes, sizeof *entries, compare_entries);
  for (int i = 0; i < top && i < graph->nodes; ++i) {
    double shown = (double)entries[i].shown_units / kShownUnits;
    printf("top %3d %12.6f  %s\n", i + 1, shown, graph->names[entries[i].node]);
  }
  free(entries);
}

static int compare_doubles(const void* a, const void* b) {
  const double *left = a, *right = b;
  return (*left > *right) - (*left < *right);
}

static void print_run(const Graph* graph, Solution* s) {
  printf("solve   %d iterations, last change %.1e of the average (%s)\n", s->iterations,
         s->change * graph->nodes,
         s->change * graph->nodes <= kSettled ? "settled" : "not settled: the iteration limit was reached");
  qsort(s->reduce_seconds, (size_t)s->iterations, sizeof(double), compare_doubles);
  printf("reduce  %zu bytes, median %.1f us (on rank 0, with its wait for slower ranks)\n",
         (size_t)graph->nodes * sizeof(double), s->reduce_seconds[s->iterations / 2] * 1e6);
}

// Collective.
static void print_load(const Part* part, const Solution* s) {
  double load[2] = {(double)part->edge_count, s->compute_seconds * 1e3};
  double least[2], most[2], sum[2];
  MPI_Reduce(load, least, 2, MPI_DOUBLE, MPI_MIN, 0, MPI_COMM_WORLD);
  MPI_Reduce(load, most, 2, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  MPI_Reduce(load, sum, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (part->rank != 0) return;
  printf("load    edges per rank: %.0f to %.0f, all %.0f\n", least[0], most[0], sum[0]);
  printf("load    compute ms per rank: %.3f to %.3f, all %.3f\n", least[1], most[1], sum[1]);
}

// ---- The job ----

// Returns on every rank whether all checks held.
static bool run(const Graph* graph, const Options* options, int rank, int ranks) {
  int* bounds = divide_nodes(graph, ranks);
  Part part = take_part(graph, bounds, rank, ranks);
  if (rank == 0) printf("graph   %d nodes, %zu edges: %s\n", graph->nodes, graph->edge_count, options->file);
  Solution s = solve(&part, options->max_iterations);
  if (rank == 0) print_top(graph, s.scores, options->top);
  if (rank == 0) print_run(graph, &s);
  print_load(&part, &s);

  int ok = check_same_bits(&part, s.scores);
  ok &= check_owned_blocks(&part, bounds, &s);
  ok &= check_against_serial(&part, &s);
  MPI_Bcast(&ok, 1, MPI_INT, 0, MPI_COMM_WORLD);

  free(s.scores);
  free(s.votes);
  free(s.reduce_seconds);
  free(part.vote_weight);
  free(bounds);
  return ok != 0;
}

static bool read_and_run(const Options* options, int rank, int ranks) {
  Graph graph;
  if (!load_graph(options->file, rank, ranks, &graph)) return false;
  require_same_graph(&graph, rank);
  bool ok = run(&graph, options, rank, ranks);
  free_graph(&graph);
  return ok;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);

  Options options;
  bool ok = parse_options(argc, argv, &options);
  if (!ok && rank == 0) fprintf(stderr, "usage: pagerank [file] [--iterations N] [--top N]\n");
  if (ok) ok = read_and_run(&options, rank, ranks);
  MPI_Finalize();
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
