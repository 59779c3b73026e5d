/* The order in which reductions over several nodes fold: on each node its members, then the nodes by their
   first members, both canonical (ARCHITECTURE.md). Arguments:

   COUNT            calls of up to so many elements
   COUNT canonical  which is the order of one node; scans, too
   COUNT equal      where nodes have as many ranks as each other; reduce-scatters, too
   COUNT equal LENGTH  the last rank alone wants pieces of this length */
#include <string.h>

#include "../check.h"

enum { kMostRanks = 16, kMostCount = 1300000 };

static int ranks, rank;
static int order[kMostRanks]; /* of ranks, node after node */
static int first[kMostRanks]; /* of each node, in `order`; one more, the end */
static int nodes;
static double in[kMostCount], out[kMostCount];

static double element(int of, int i) { return 1.0 / (3 + 7 * of + i % 1000); }

/* Over nodes if `of_nodes`, else over the ranks of one. */
static double tree(int of_nodes, int low, int high, int i) {
  int half = 1;
  if (high - low == 1) return of_nodes ? tree(0, first[low], first[high], i) : element(order[low], i);
  while (2 * half < high - low) half *= 2;
  return tree(of_nodes, low, low + half, i) + tree(of_nodes, low + half, high, i);
}

static void find_nodes(void) {
  MPI_Comm node;
  int lowest = rank, lowest_of[kMostRanks], at = 0;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
  MPI_Bcast(&lowest, 1, MPI_INT, 0, node);
  MPI_Allgather(&lowest, 1, MPI_INT, lowest_of, 1, MPI_INT, MPI_COMM_WORLD);
  MPI_Comm_free(&node);
  for (int leader = 0; leader < ranks; ++leader) {
    if (lowest_of[leader] != leader) continue;
    first[nodes++] = at;
    for (int of = 0; of < ranks; ++of)
      if (lowest_of[of] == leader) order[at++] = of;
  }
  first[nodes] = at;
}

static void check(int count, const char* what) {
  for (int i = 0; i < count; ++i)
    if (out[i] != tree(1, 0, nodes, i)) {
      fprintf(stderr, "rank %d: element %d of %d: %.17g, not %.17g\n", rank, i, count, out[i],
              tree(1, 0, nodes, i));
      expect(0, what);
    }
}

static void fill(double* vector, int count) {
  for (int i = 0; i < count; ++i) vector[i] = element(rank, i);
}

static void reductions(int count) {
  fill(in, count);
  memset(out, 0, sizeof out);
  MPI_Allreduce(in, out, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  check(count, "an allreduce");
  fill(out, count);
  MPI_Allreduce(MPI_IN_PLACE, out, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  check(count, "an allreduce in place");
  for (int root = 0; root < ranks; ++root) {
    memset(out, 0, sizeof out);
    MPI_Reduce(in, out, count, MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD);
    if (rank == root) check(count, "a reduce");
    fill(out, count);
    MPI_Reduce(rank == root ? MPI_IN_PLACE : in, out, count, MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD);
    if (rank == root) check(count, "a reduce in place");
  }
}

static void broadcasts(int count) {
  for (int root = 0; root < ranks; ++root) {
    for (int i = 0; i < count; ++i) out[i] = rank == root ? element(root, i) : 0;
    MPI_Bcast(out, count, MPI_DOUBLE, root, MPI_COMM_WORLD);
    for (int i = 0; i < count; ++i) expect(out[i] == element(root, i), "a broadcast");
  }
}

static void prefixes(int count) {
  fill(in, count);
  MPI_Scan(in, out, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < count; ++i) expect(out[i] == tree(0, 0, rank + 1, i), "a scan");
  MPI_Exscan(in, out, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < count && rank > 0; ++i) expect(out[i] == tree(0, 0, rank, i), "an exscan");
}

static void blocks(int count) {
  const int block = count / ranks;
  fill(in, count);
  MPI_Reduce_scatter_block(in, out, block, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < block; ++i)
    expect(out[i] == tree(0, 0, ranks, rank * block + i), "a block of a reduce-scatter");
}

static void check_counts(int most, int is_canonical, int are_equal) {
  static const int counts[] = {1, 7, 1000, 5000, 20011, 300000, kMostCount};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
    if (counts[i] > most) continue;
    reductions(counts[i]);
    broadcasts(counts[i]);
    if (is_canonical) prefixes(counts[i]);
    if (are_equal) blocks(counts[i]);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

static void take_nodes_for_one(void) {
  nodes = 1;
  first[1] = ranks;
  for (int i = 0; i < ranks; ++i) order[i] = i;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  expect(argc > 1, "usage: orders COUNT [canonical | equal]");
  ranks = size_of(MPI_COMM_WORLD);
  rank = rank_in(MPI_COMM_WORLD);
  if (argc > 3 && rank == ranks - 1) setenv("FOLDLANE_ACCEL_PIECES", argv[3], 1);
  find_nodes();
  if (argc > 2) take_nodes_for_one();
  check_counts(atoi(argv[1]), argc > 2, argc > 2 && strcmp(argv[2], "equal") == 0);
  MPI_Finalize();
  return 0;
}
