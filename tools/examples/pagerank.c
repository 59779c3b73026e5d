// PageRank on a graph whose edges are shared out among the ranks of an MPI job.
//
// Which installed package does everything else rest on? Every package votes for the packages it depends on,
// and the vote of a package that many depend on weighs more. In each iteration a rank casts the votes of its
// share of the edges; one MPI_Allreduce adds up the votes of all ranks, so that everybody knows all scores
// again.
//
//   mpicc pagerank.c solve.c checks.c graph.c -lm -o pagerank
//   mpiexec -n 4 ./pagerank [file] [--iterations N] [--top N]
#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "graph.h"
#include "solve.h"

static const char kPackages[] = "/var/lib/dpkg/status";

// Scores are shown as multiples of the average score, with six digits after the point. What iteration leaves
// missing (kSettled) is far below the last one.
static const double kShownUnits = 1e6;

typedef struct {
  const char* file;
  int max_iterations, top;
} Options;

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
