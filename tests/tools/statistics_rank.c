/* A rank of an MPI job whose collective calls are counted: the subject of the tests of --stats. */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { kCount = 8192, kLateCalls = 400 }; /* 64 KiB of doubles */

static int rank;

/* The others are in the call long before rank 2 comes. So many calls that the ranks compare them themselves.
 */
static void be_late(void) {
  long in = 1, out;
  for (int i = 0; i < kLateCalls; ++i) {
    if (rank == 2) usleep(500);
    MPI_Allreduce(&in, &out, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  }
}

static void use_all_forms(void) {
  long in = 1, out[2];
  MPI_Request requests[2];
  for (int i = 0; i < 3; ++i) MPI_Allreduce(&in, out, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  MPI_Iallreduce(&in, &out[0], 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
  MPI_Ibarrier(MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Allreduce_init(&in, out, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
  for (int i = 0; i < 4; ++i) {
    MPI_Start(&requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  }
  MPI_Request_free(&requests[0]);
}

static void broadcast_often(void) {
  long data = 1;
  for (int i = 0; i < 2000; ++i) MPI_Bcast(&data, 1, MPI_LONG, 0, MPI_COMM_WORLD);
}

/* Neither the start nor the wait takes long. */
static void compute_meanwhile(void) {
  long in = 1, out;
  MPI_Request request;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Iallreduce(&in, &out, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD, &request);
  usleep(200 * 1000);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void use_communicators(void) {
  MPI_Comm named, renamed, nameless;
  MPI_Comm_dup(MPI_COMM_WORLD, &named);
  MPI_Comm_set_name(named, "grid");
  MPI_Barrier(named);
  MPI_Comm_dup(MPI_COMM_WORLD, &renamed);
  MPI_Barrier(renamed);
  MPI_Comm_set_name(renamed, "rows");
  MPI_Comm_dup(MPI_COMM_WORLD, &nameless);
  MPI_Barrier(nameless);
  MPI_Barrier(MPI_COMM_SELF);
  MPI_Comm_free(&named);
  MPI_Comm_free(&renamed);
  MPI_Comm_free(&nameless);
}

/* Those without calls take no record. */
static void use_many_communicators(void) {
  MPI_Comm comms[100];
  for (int i = 0; i < 100; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
  for (int i = 0; i < 70; ++i) MPI_Barrier(comms[i]);
  for (int i = 0; i < 100; ++i) MPI_Comm_free(&comms[i]);
}

static void ask_neighbours(void) {
  const int ranks = 3, periodic = 0;
  int in = rank, out[2];
  MPI_Comm line;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &periodic, 0, &line);
  MPI_Comm_set_name(line, "line");
  for (int i = 0; i < 5; ++i) MPI_Neighbor_allgather(&in, 1, MPI_INT, out, 1, MPI_INT, line);
  MPI_Comm_free(&line);
}

/* Everybody gives to the next one, of that one's edges the second; the other one is its own. */
static void ask_graph(void) {
  const int ranks = 3, sources[] = {rank, (rank + ranks - 1) % ranks}, next[] = {rank, (rank + 1) % ranks};
  static char in[200000], out[200000];
  const int short_counts[] = {1, 2}, middle[] = {1, 2000}, places[] = {0, 100000}, far[] = {1, 100000};
  MPI_Datatype types[] = {MPI_CHAR, MPI_CHAR};
  const MPI_Aint wide[] = {0, 100000};
  MPI_Comm graph;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, sources, MPI_UNWEIGHTED, 2, next, MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &graph);
  MPI_Comm_set_name(graph, "graph");
  for (int i = 0; i < 5; ++i) {
    MPI_Neighbor_alltoall(in, 4, MPI_CHAR, out, 4, MPI_CHAR, graph);
    MPI_Neighbor_allgatherv(in, 1, MPI_CHAR, out, (int[]){1, 1}, places, MPI_CHAR, graph);
    MPI_Neighbor_alltoallv(in, short_counts, places, MPI_CHAR, out, short_counts, places, MPI_CHAR, graph);
    MPI_Neighbor_alltoallw(in, middle, wide, types, out, middle, wide, types, graph);
  }
  MPI_Neighbor_alltoallw(in, far, wide, types, out, far, wide, types, graph);
  MPI_Neighbor_alltoall(in, 100000, MPI_CHAR, out, 100000, MPI_CHAR, graph);
  MPI_Comm_free(&graph);
}

static double* allocate(int is_shared, size_t count) {
  double* memory;
  if (!is_shared) return calloc(count, sizeof *memory);
  MPI_Alloc_mem((MPI_Aint)(count * sizeof *memory), MPI_INFO_NULL, &memory);
  memset(memory, 0, count * sizeof *memory);
  return memory;
}

static void move_much(int is_shared) {
  double *in = allocate(is_shared, kCount), *out = allocate(is_shared, kCount);
  for (int i = 0; i < 5; ++i) MPI_Allreduce(in, out, kCount, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

/* A gather of two, longer than boxes take. */
static void gather_much(int is_shared) {
  double *in = allocate(is_shared, kCount), *out = allocate(is_shared, 2 * kCount);
  for (int i = 0; i < 5; ++i) MPI_Gather(in, kCount, MPI_DOUBLE, out, kCount, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static void use_a_session(void) {
  MPI_Session session;
  MPI_Group everybody;
  MPI_Comm comm;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &everybody);
  MPI_Comm_create_from_group(everybody, "statistics", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
  MPI_Barrier(comm);
  MPI_Group_free(&everybody);
  MPI_Comm_free(&comm);
  MPI_Session_finalize(&session);
}

static void end_badly(int is_abort) {
  for (int i = 0; i < 20; ++i) MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1 && is_abort) MPI_Abort(MPI_COMM_WORLD, 3);
  if (rank == 1) raise(SIGKILL);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void do_as_told(const char* what) {
  if (strcmp(what, "late") == 0) be_late();
  if (strcmp(what, "forms") == 0) use_all_forms();
  if (strcmp(what, "bcast") == 0) broadcast_often();
  if (strcmp(what, "compute") == 0) compute_meanwhile();
  if (strcmp(what, "communicators") == 0) use_communicators();
  if (strcmp(what, "many") == 0) use_many_communicators();
  if (strcmp(what, "neighbours") == 0) ask_neighbours();
  if (strcmp(what, "graph") == 0) ask_graph();
  if (strcmp(what, "shared") == 0) move_much(1);
  if (strcmp(what, "private") == 0) move_much(0);
  if (strcmp(what, "gather shared") == 0) gather_much(1);
  if (strcmp(what, "gather private") == 0) gather_much(0);
  if (strcmp(what, "die") == 0) end_badly(0);
  if (strcmp(what, "abort") == 0) end_badly(1);
}

/* usage: statistics_rank WHAT */
int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "session") == 0) {
    use_a_session();
    return 0;
  }
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  do_as_told(what);
  MPI_Finalize();
  return 0;
}
