/* Programs that anybody's MPI runs, one per argument. */
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "check.h"

/* Rank 1 receives before it comes to the sum, and rank 0's message moves only while somebody is inside the
   MPI that has it. */
static void progress(void) {
  enum { kBytes = 64 << 20 };
  char* const data = calloc(kBytes, 1);
  MPI_Request request = MPI_REQUEST_NULL;
  check_sum(MPI_COMM_WORLD);
  if (rank_in(MPI_COMM_WORLD) == 0) MPI_Isend(data, kBytes, MPI_CHAR, 1, 5, MPI_COMM_WORLD, &request);
  if (rank_in(MPI_COMM_WORLD) == 1) MPI_Recv(data, kBytes, MPI_CHAR, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  check_sum(MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  free(data);
}

static void six_calls(MPI_Comm comm) {
  for (int i = 0; i < 6; ++i) check_sum(comm);
}

/* Handles are used again. Some end young, some with a team, and the order of their ranks is another one. */
static void communicators(void) {
  const int rank = rank_in(MPI_COMM_WORLD);
  for (int i = 0; i < 60; ++i) {
    MPI_Comm twin, half, single;
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    six_calls(twin);
    MPI_Comm_split(twin, rank % 2, -rank, &half);
    MPI_Comm_free(&twin);
    six_calls(half);
    MPI_Comm_split(half, rank, 0, &single);
    six_calls(single);
    MPI_Comm_free(&single);
    MPI_Comm_free(&half);
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    check_sum(twin);
    MPI_Comm_free(&twin);
  }
}

static double element(int rank, int i) { return 1.0 / (3 + 7 * rank + i); }

/* The canonical order (ARCHITECTURE.md). */
static double tree(int low, int high, int i) {
  int half = 1;
  if (high - low == 1) return element(low, i);
  while (2 * half < high - low) half *= 2;
  return tree(low, low + half, i) + tree(low + half, high, i);
}

static void canonical_prefixes(void) {
  enum { kCount = 3000 };
  const int rank = rank_in(MPI_COMM_WORLD);
  double in[kCount], out[kCount];
  for (int i = 0; i < kCount; ++i) in[i] = element(rank, i);
  MPI_Scan(in, out, kCount, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < kCount; ++i) expect(out[i] == tree(0, rank + 1, i), "the order of a scan");
  MPI_Exscan(in, out, kCount, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < kCount && rank > 0; ++i) expect(out[i] == tree(0, rank, i), "the order of an exscan");
}

static void prefixes(void) {
  const int rank = rank_in(MPI_COMM_WORLD);
  for (int count = 1; count <= 20000; count *= 10) {
    int* const in = malloc(sizeof(int) * (size_t)count);
    int* const out = malloc(sizeof(int) * (size_t)count);
    for (int i = 0; i < count; ++i) in[i] = rank + 1 + i;
    MPI_Scan(in, out, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < count; ++i) expect(out[i] == sum_of(rank + 1) + i * (rank + 1), "a scan");
    MPI_Exscan(in, out, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < count && rank > 0; ++i) expect(out[i] == sum_of(rank) + i * rank, "an exscan");
    MPI_Exscan(MPI_IN_PLACE, in, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < count && rank > 0; ++i) expect(in[i] == out[i], "an exscan in place");
    free(in);
    free(out);
  }
  canonical_prefixes();
}

/* Every rank has another datatype for the same bytes. */
static void broadcasts(void) {
  MPI_Datatype pairs, struct_of_two;
  const int rank = rank_in(MPI_COMM_WORLD);
  enum { kPairs = 5000 };
  int spread[3 * kPairs], packed[2 * kPairs];
  MPI_Type_vector(kPairs, 2, 3, MPI_INT, &pairs);
  MPI_Type_contiguous(2, MPI_INT, &struct_of_two);
  MPI_Type_commit(&pairs);
  MPI_Type_commit(&struct_of_two);
  for (int root = 0; root < size_of(MPI_COMM_WORLD); ++root) {
    for (int i = 0; i < 3 * kPairs; ++i) spread[i] = rank == root && i % 3 < 2 ? root + i : -1;
    for (int i = 0; i < 2 * kPairs; ++i) packed[i] = rank == root ? root + i / 2 * 3 + i % 2 : -1;
    if (rank % 3 == 0) MPI_Bcast(spread, 1, pairs, root, MPI_COMM_WORLD);
    if (rank % 3 == 1) MPI_Bcast(packed, 2 * kPairs, MPI_INT, root, MPI_COMM_WORLD);
    if (rank % 3 == 2) MPI_Bcast(packed, kPairs, struct_of_two, root, MPI_COMM_WORLD);
    for (int i = 0; i < 3 * kPairs && rank % 3 == 0; ++i)
      expect(spread[i] == (i % 3 < 2 ? root + i : -1), "a gap");
    for (int i = 0; i < 2 * kPairs && rank % 3 != 0; ++i)
      expect(packed[i] == root + i / 2 * 3 + i % 2, "an element");
  }
  MPI_Bcast(packed, 0, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Type_free(&struct_of_two);
  MPI_Type_free(&pairs);
}

static void subtract(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < 2 * *count; ++i) ((int*)inout)[i] += ((int*)in)[i] - 1;
}

/* What the host keeps. */
static void forwarded(void) {
  MPI_Op op;
  MPI_Datatype two;
  MPI_Comm half, both;
  const int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  int in[4] = {rank + 1, 1, 1, 1}, out[4] = {0};
  MPI_Op_create(subtract, 1, &op);
  MPI_Type_contiguous(2, MPI_INT, &two);
  MPI_Type_commit(&two);
  MPI_Allreduce(in, out, 2, two, op, MPI_COMM_WORLD);
  expect(out[0] == sum_of(ranks) - ranks + 1 && out[3] == 1, "an operation of the program");
  MPI_Type_free(&two);
  MPI_Op_free(&op);

  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 3, &both);
  int other = 0;
  MPI_Comm_remote_size(both, &other);
  for (int i = 0; i < 6; ++i) {
    const int one = 1;
    int sum = 0;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, both);
    expect(sum == other, "a sum over the other group");
  }
  MPI_Comm_free(&both);
  MPI_Comm_free(&half);
  six_calls(MPI_COMM_SELF);
}

static void* add_up(void* comm) {
  for (int i = 0; i < 300; ++i) check_sum(*(MPI_Comm*)comm);
  return NULL;
}

/* Two threads, each on communicators of its own, which get their teams at the same time. */
static void threads(void) {
  MPI_Comm comms[2];
  pthread_t second;
  for (int i = 0; i < 2; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
  pthread_create(&second, NULL, add_up, &comms[1]);
  add_up(&comms[0]);
  pthread_join(second, NULL);
  for (int i = 0; i < 2; ++i) MPI_Comm_free(&comms[i]);
}

/* The others wait for it in a call of ours. */
static void killed(void) {
  check_sum(MPI_COMM_WORLD);
  if (rank_in(MPI_COMM_WORLD) == 1) raise(SIGKILL);
  MPI_Barrier(MPI_COMM_WORLD);
}

/* Here nobody's MPI need notice, but we do. */
static void mismatched(void) {
  check_sum(MPI_COMM_WORLD);
  if (rank_in(MPI_COMM_WORLD) == 0) MPI_Barrier(MPI_COMM_WORLD);
  check_sum(MPI_COMM_WORLD);
}

/* Each of the two alone could not know. */
static void lengths(void) {
  const int rank = rank_in(MPI_COMM_WORLD), places[2] = {0, 4};
  int in[8] = {0}, out[8], sent[2] = {1, 1}, expected[2] = {1, 1};
  if (rank == 0) sent[1] = 3;
  MPI_Alltoallv(in, sent, places, MPI_INT, out, expected, places, MPI_INT, MPI_COMM_WORLD);
  check_sum(MPI_COMM_WORLD);
}

static void own_length(void) {
  int in[2] = {0}, out[4];
  MPI_Gather(in, rank_in(MPI_COMM_WORLD) + 1, MPI_INT, out, 2, MPI_INT, 0, MPI_COMM_WORLD);
  check_sum(MPI_COMM_WORLD);
}

/* A member that has no memory for the packed form of a datatype must tell the others, who wait for it. */
static void memory(void) {
  enum { kCount = 1 << 27 };
  MPI_Datatype spread;
  const int rank = rank_in(MPI_COMM_WORLD);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &spread);
  MPI_Type_commit(&spread);
  check_sum(MPI_COMM_WORLD);
  int* const data = mmap(NULL, kCount * 2 * sizeof(int), PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  expect(data != MAP_FAILED, "address space");
  const struct rlimit none = {0, RLIM_INFINITY}, all = {RLIM_INFINITY, RLIM_INFINITY};
  if (rank == 1) setrlimit(RLIMIT_AS, &none);
  const int code = rank == 1 ? MPI_Bcast(data, kCount, spread, 0, MPI_COMM_WORLD)
                             : MPI_Bcast(data, kCount, MPI_INT, 0, MPI_COMM_WORLD);
  setrlimit(RLIMIT_AS, &all);
  expect(code != MPI_SUCCESS, "a broadcast without memory has an error");
  MPI_Sendrecv(&rank, 1, MPI_INT, 1 - rank, 0, data, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Type_free(&spread);
}

static void sum(void) { six_calls(MPI_COMM_WORLD); }

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    void (*run)(void);
  } programs[] = {{"progress", progress},   {"communicators", communicators},
                  {"prefixes", prefixes},   {"broadcasts", broadcasts},
                  {"forwarded", forwarded}, {"threads", threads},
                  {"killed", killed},       {"mismatched", mismatched},
                  {"lengths", lengths},     {"own_length", own_length},
                  {"memory", memory},       {"sum", sum}};
  const char* const wanted = argc > 1 ? argv[1] : "";
  int provided = 0;
  if (strcmp(wanted, "threads") == 0) {
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided != MPI_THREAD_MULTIPLE) printf("this MPI has no threads\n"), MPI_Finalize(), exit(0);
  } else {
    MPI_Init(&argc, &argv);
  }
  for (size_t i = 0; i < sizeof programs / sizeof *programs; ++i)
    if (strcmp(programs[i].name, wanted) == 0) programs[i].run();
  MPI_Finalize();
  return 0;
}
