/* How many bytes cross between the nodes of nodes.py, as their network devices count them, against the fewest
   that each call can do with. Arguments:

   BYTES         of a rank's block; of calls that have none, of a vector
   BYTES most    and none may need more than 1.1 times that */
#include <string.h>

#include "../check.h"

enum { kRepeats = 4, kMostRanks = 16 };

static int ranks, rank, nodes, each; /* equal nodes, in blocks */
static int block;
static char *in, *out;
static int counts[kMostRanks], places[kMostRanks], uneven[kMostRanks];
static MPI_Datatype types[kMostRanks];

static void bcast(void) { MPI_Bcast(in, block, MPI_SIGNED_CHAR, 0, MPI_COMM_WORLD); }
static void reduce(void) { MPI_Reduce(in, out, block, MPI_SIGNED_CHAR, MPI_MAX, 0, MPI_COMM_WORLD); }
static void allreduce(void) { MPI_Allreduce(in, out, block, MPI_SIGNED_CHAR, MPI_MAX, MPI_COMM_WORLD); }
static void scan(void) { MPI_Scan(in, out, block, MPI_SIGNED_CHAR, MPI_MAX, MPI_COMM_WORLD); }
static void exscan(void) { MPI_Exscan(in, out, block, MPI_SIGNED_CHAR, MPI_MAX, MPI_COMM_WORLD); }
static void scatter_blocks(void) {
  MPI_Reduce_scatter_block(in, out, block, MPI_SIGNED_CHAR, MPI_MAX, MPI_COMM_WORLD);
}
static void scatter_lists(void) {
  MPI_Reduce_scatter(in, out, uneven, MPI_SIGNED_CHAR, MPI_MAX, MPI_COMM_WORLD);
}
static void gather(void) {
  MPI_Gather(in, block, MPI_SIGNED_CHAR, out, block, MPI_SIGNED_CHAR, 0, MPI_COMM_WORLD);
}
static void gatherv(void) {
  MPI_Gatherv(in, block, MPI_SIGNED_CHAR, out, counts, places, MPI_SIGNED_CHAR, 0, MPI_COMM_WORLD);
}
static void scatter(void) {
  MPI_Scatter(in, block, MPI_SIGNED_CHAR, out, block, MPI_SIGNED_CHAR, 0, MPI_COMM_WORLD);
}
static void scatterv(void) {
  MPI_Scatterv(in, counts, places, MPI_SIGNED_CHAR, out, block, MPI_SIGNED_CHAR, 0, MPI_COMM_WORLD);
}
static void allgather(void) {
  MPI_Allgather(in, block, MPI_SIGNED_CHAR, out, block, MPI_SIGNED_CHAR, MPI_COMM_WORLD);
}
static void allgatherv(void) {
  MPI_Allgatherv(in, block, MPI_SIGNED_CHAR, out, counts, places, MPI_SIGNED_CHAR, MPI_COMM_WORLD);
}
static void alltoall(void) {
  MPI_Alltoall(in, block, MPI_SIGNED_CHAR, out, block, MPI_SIGNED_CHAR, MPI_COMM_WORLD);
}
static void alltoallv(void) {
  MPI_Alltoallv(in, counts, places, MPI_SIGNED_CHAR, out, counts, places, MPI_SIGNED_CHAR, MPI_COMM_WORLD);
}
static void alltoallw(void) {
  MPI_Alltoallw(in, counts, places, types, out, counts, places, types, MPI_COMM_WORLD);
}

/* What this node has sent. What it gets may come past the device (nodes.py: the switch is on the first). */
static double bytes_sent(void) {
  char line[512];
  double bytes = -1;
  FILE* const devices = fopen("/proc/net/dev", "r");
  while (devices != NULL && fgets(line, sizeof line, devices) != NULL)
    if (strstr(line, "net0:") != NULL)
      sscanf(strstr(line, "net0:") + 5, "%*s %*s %*s %*s %*s %*s %*s %*s %lf", &bytes);
  if (devices != NULL) fclose(devices);
  expect(bytes >= 0, "a device net0, as nodes.py makes it");
  return rank % each == 0 ? bytes : 0;
}

static double bytes_of_one(void (*call)(void)) {
  double sent, of_all = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  sent = -bytes_sent();
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < kRepeats; ++i) call();
  MPI_Barrier(MPI_COMM_WORLD);
  sent += bytes_sent();
  MPI_Allreduce(&sent, &of_all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return of_all / kRepeats;
}

static void prepare(int bytes) {
  ranks = size_of(MPI_COMM_WORLD);
  rank = rank_in(MPI_COMM_WORLD);
  MPI_Comm node;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
  each = size_of(node);
  MPI_Comm_free(&node);
  nodes = ranks / each;
  block = bytes;
  in = calloc((size_t)ranks, (size_t)block);
  out = calloc((size_t)ranks, (size_t)block);
  for (int i = 0; i < ranks; ++i) {
    counts[i] = uneven[i] = block;
    places[i] = i * block;
    types[i] = MPI_SIGNED_CHAR;
  }
  uneven[0] = 2 * block;
  uneven[ranks - 1] = 0;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  expect(argc > 1, "usage: crossing BYTES [most]");
  prepare(atoi(argv[1]));
  const int others = ranks - each; /* on other nodes than a rank's own */
  /* Where every node needs something of all others, it must come there; so does each other node's part of a
     result that folds on the way. */
  const struct {
    const char* name;
    void (*run)(void);
    int fewest; /* blocks */
  } calls[] = {{"bcast", bcast, nodes - 1},
               {"reduce", reduce, nodes - 1},
               {"allreduce", allreduce, 2 * (nodes - 1)},
               {"reduce_scatter_block", scatter_blocks, ranks * (nodes - 1)},
               {"reduce_scatter", scatter_lists, ranks * (nodes - 1)},
               {"scan", scan, nodes - 1},
               {"exscan", exscan, nodes - 1},
               {"gather", gather, others},
               {"gatherv", gatherv, others},
               {"scatter", scatter, others},
               {"scatterv", scatterv, others},
               {"allgather", allgather, nodes * others},
               {"allgatherv", allgatherv, nodes * others},
               {"alltoall", alltoall, ranks * others},
               {"alltoallv", alltoallv, ranks * others},
               {"alltoallw", alltoallw, ranks * others}};
  for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i) {
    const double fewest = (double)calls[i].fewest * block, bytes = bytes_of_one(calls[i].run);
    if (rank == 0) printf("%s: %.0f bytes cross, %.3f of the fewest\n", calls[i].name, bytes, bytes / fewest);
    fflush(stdout);
    expect(argc < 3 || bytes <= 1.1 * fewest, calls[i].name);
  }
  MPI_Finalize();
  return 0;
}
