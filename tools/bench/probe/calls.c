/* The calls, types and operations that are measured, by name. */
#include <mpi.h>
#if MPI_VERSION < 4 && defined(OPEN_MPI)
#include <mpi-ext.h>
#endif
#include <string.h>

#include "probe.h"

static const void* input(void) { return now.in_place ? MPI_IN_PLACE : now.send; }
static const void* input_of_root(void) { return now.in_place && rank == now.root ? MPI_IN_PLACE : now.send; }
static void* result_of_root(void) { return now.in_place && rank == now.root ? MPI_IN_PLACE : now.recv; }

#if MPI_VERSION >= 4
#define MAKE(Name, request, ...) MPI_##Name##_init(__VA_ARGS__, MPI_INFO_NULL, request)
#elif defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
#define MAKE(Name, request, ...) MPIX_##Name##_init(__VA_ARGS__, MPI_INFO_NULL, request)
#else
#define MAKE(Name, request, ...) ((void)(request), LACKING)
#endif

#define FORMS(name, Name, ...)                                                                \
  static int block_##name(void) { return MPI_##Name(__VA_ARGS__); }                           \
  static int start_##name(MPI_Request* request) { return MPI_I##name(__VA_ARGS__, request); } \
  static int make_##name(MPI_Request* request) { return MAKE(Name, request, __VA_ARGS__); }

FORMS(allreduce, Allreduce, input(), now.recv, now.count, now.type, now.op, MPI_COMM_WORLD)
FORMS(reduce, Reduce, input_of_root(), now.recv, now.count, now.type, now.op, now.root, MPI_COMM_WORLD)
FORMS(reduce_scatter, Reduce_scatter, input(), now.recv, now.counts, now.type, now.op, MPI_COMM_WORLD)
FORMS(reduce_scatter_block, Reduce_scatter_block, input(), now.recv, now.counts[0], now.type, now.op,
      MPI_COMM_WORLD)
FORMS(scan, Scan, input(), now.recv, now.count, now.type, now.op, MPI_COMM_WORLD)
FORMS(exscan, Exscan, input(), now.recv, now.count, now.type, now.op, MPI_COMM_WORLD)
FORMS(bcast, Bcast, now.send, now.count, now.type, now.root, MPI_COMM_WORLD)
FORMS(barrier, Barrier, MPI_COMM_WORLD)

/* A block, or as many as there are ranks, as each call names them. */
#define BLOCK now.count, now.type
#define BLOCKS blocks.counts, blocks.places, now.type
#define BLOCKS_AND_TYPES blocks.counts, blocks.bytes_before, blocks.types

FORMS(gather, Gather, input_of_root(), BLOCK, now.recv, BLOCK, now.root, MPI_COMM_WORLD)
FORMS(gatherv, Gatherv, input_of_root(), BLOCK, now.recv, BLOCKS, now.root, MPI_COMM_WORLD)
FORMS(scatter, Scatter, now.send, BLOCK, result_of_root(), BLOCK, now.root, MPI_COMM_WORLD)
FORMS(scatterv, Scatterv, now.send, BLOCKS, result_of_root(), BLOCK, now.root, MPI_COMM_WORLD)
FORMS(allgather, Allgather, input(), BLOCK, now.recv, BLOCK, MPI_COMM_WORLD)
FORMS(allgatherv, Allgatherv, input(), BLOCK, now.recv, BLOCKS, MPI_COMM_WORLD)
FORMS(alltoall, Alltoall, input(), BLOCK, now.recv, BLOCK, MPI_COMM_WORLD)
FORMS(alltoallv, Alltoallv, input(), BLOCKS, now.recv, BLOCKS, MPI_COMM_WORLD)
FORMS(alltoallw, Alltoallw, input(), BLOCKS_AND_TYPES, now.recv, BLOCKS_AND_TYPES, MPI_COMM_WORLD)
FORMS(neighbor_allgather, Neighbor_allgather, now.send, BLOCK, now.recv, BLOCK, ring)
FORMS(neighbor_alltoall, Neighbor_alltoall, now.send, BLOCK, now.recv, BLOCK, ring)

static int block_reduce_local(void) {
  return MPI_Reduce_local(now.send, now.recv, now.count, now.type, now.op);
}

#define ROW(name) \
  { #name, block_##name, start_##name, make_##name }
static const struct call calls[] = {
    ROW(allreduce),
    ROW(reduce),
    ROW(reduce_scatter),
    ROW(reduce_scatter_block),
    ROW(scan),
    ROW(exscan),
    ROW(bcast),
    ROW(barrier),
    ROW(gather),
    ROW(gatherv),
    ROW(scatter),
    ROW(scatterv),
    ROW(allgather),
    ROW(allgatherv),
    ROW(alltoall),
    ROW(alltoallv),
    ROW(alltoallw),
    ROW(neighbor_allgather),
    ROW(neighbor_alltoall),
    {"reduce_local", block_reduce_local, NULL, NULL},
    {"pingpong", run_pingpong, NULL, NULL},
    {"stream", run_stream, NULL, NULL},
    {"bidirectional", run_bidirectional, NULL, NULL},
    {"exchange", run_exchange, NULL, NULL},
    {"incast", run_incast, NULL, NULL},
    {"unexpected", run_unexpected, NULL, NULL},
};

const struct call* call_named(const char* name) {
  for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i)
    if (strcmp(calls[i].name, name) == 0) return &calls[i];
  die("unknown call");
  return NULL;
}

MPI_Datatype type_named(const char* name, size_t* bytes) {
  const struct {
    const char* name;
    MPI_Datatype type;
    size_t bytes;
  } types[] = {
      {"int8", MPI_INT8_T, 1},     {"int16", MPI_INT16_T, 2},   {"int32", MPI_INT32_T, 4},
      {"int64", MPI_INT64_T, 8},   {"uint8", MPI_UINT8_T, 1},   {"uint16", MPI_UINT16_T, 2},
      {"uint32", MPI_UINT32_T, 4}, {"uint64", MPI_UINT64_T, 8}, {"float", MPI_FLOAT, 4},
      {"double", MPI_DOUBLE, 8},
  };
  for (size_t i = 0; i < sizeof types / sizeof *types; ++i) {
    *bytes = types[i].bytes;
    if (strcmp(types[i].name, name) == 0) return types[i].type;
  }
  die("unknown type");
  return MPI_DATATYPE_NULL;
}

MPI_Op op_named(const char* name) {
  const struct {
    const char* name;
    MPI_Op op;
  } ops[] = {{"sum", MPI_SUM},   {"prod", MPI_PROD}, {"max", MPI_MAX},  {"min", MPI_MIN},
             {"band", MPI_BAND}, {"bor", MPI_BOR},   {"bxor", MPI_BXOR}};
  for (size_t i = 0; i < sizeof ops / sizeof *ops; ++i)
    if (strcmp(ops[i].name, name) == 0) return ops[i].op;
  die("unknown operation");
  return MPI_OP_NULL;
}
