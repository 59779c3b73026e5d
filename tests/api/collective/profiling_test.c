/* A tool that defines the collectives itself, in all of their forms, and calls PMPI_X sees each call of the
 * program once, and none that the library would make itself. */
#include <mpi.h>

#include "support/seen_calls.h"

/* The three forms of a call. */
#define UNPACK(...) __VA_ARGS__
#define WRAP_FORMS(first, small, suffix, parameters, arguments)                                        \
  WRAP(first##suffix, (UNPACK parameters, MPI_Comm comm), (UNPACK arguments, comm))                    \
  WRAP(I##small##suffix, (UNPACK parameters, MPI_Comm comm, MPI_Request * request),                    \
       (UNPACK arguments, comm, request))                                                              \
  WRAP(first##_init##suffix, (UNPACK parameters, MPI_Comm comm, MPI_Info info, MPI_Request * request), \
       (UNPACK arguments, comm, info, request))
#define WRAP_FOLD(first, small, suffix, Counts)                                                       \
  WRAP_FORMS(first, small, suffix, (const void* in, void* out, Counts, MPI_Datatype type, MPI_Op op), \
             (in, out, count, type, op))

WRAP(Barrier, (MPI_Comm comm), (comm))
WRAP(Ibarrier, (MPI_Comm comm, MPI_Request* request), (comm, request))
WRAP(Barrier_init, (MPI_Comm comm, MPI_Info info, MPI_Request* request), (comm, info, request))
WRAP_FORMS(Bcast, bcast, , (void* data, int count, MPI_Datatype type, int root), (data, count, type, root))
WRAP_FORMS(Bcast, bcast, _c, (void* data, MPI_Count count, MPI_Datatype type, int root),
           (data, count, type, root))
WRAP_FORMS(Reduce, reduce, , (const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, int root),
           (in, out, count, type, op, root))
WRAP_FORMS(Reduce, reduce, _c,
           (const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, int root),
           (in, out, count, type, op, root))
WRAP_FOLD(Allreduce, allreduce, , int count)
WRAP_FOLD(Allreduce, allreduce, _c, MPI_Count count)
WRAP_FOLD(Reduce_scatter_block, reduce_scatter_block, , int count)
WRAP_FOLD(Reduce_scatter_block, reduce_scatter_block, _c, MPI_Count count)
WRAP_FOLD(Reduce_scatter, reduce_scatter, , const int count[])
WRAP_FOLD(Reduce_scatter, reduce_scatter, _c, const MPI_Count count[])
WRAP_FOLD(Scan, scan, , int count)
WRAP_FOLD(Scan, scan, _c, MPI_Count count)
WRAP_FOLD(Exscan, exscan, , int count)
WRAP_FOLD(Exscan, exscan, _c, MPI_Count count)

static MPI_Request request;

static void complete(void) { PMPI_Wait(&request, MPI_STATUS_IGNORE); }

static void complete_persistent(void) {
  PMPI_Start(&request);
  PMPI_Wait(&request, MPI_STATUS_IGNORE);
  PMPI_Request_free(&request);
}

#define CALL_FORMS(first, small, suffix, arguments)                                      \
  MPI_##first##suffix(UNPACK arguments, MPI_COMM_WORLD);                                 \
  MPI_I##small##suffix(UNPACK arguments, MPI_COMM_WORLD, &request);                      \
  complete();                                                                            \
  MPI_##first##_init##suffix(UNPACK arguments, MPI_COMM_WORLD, MPI_INFO_NULL, &request); \
  complete_persistent();
#define CALL_BOTH(first, small, arguments) \
  CALL_FORMS(first, small, , arguments)    \
  CALL_FORMS(first, small, _c, arguments)

static void call_each_once(void) {
  const int in = 1, one[] = {1};
  const MPI_Count wide_one[] = {1};
  int out = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  complete();
  MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  complete_persistent();
  CALL_BOTH(Bcast, bcast, (&out, 1, MPI_INT, 0))
  CALL_BOTH(Reduce, reduce, (&in, &out, 1, MPI_INT, MPI_SUM, 0))
  CALL_BOTH(Allreduce, allreduce, (&in, &out, 1, MPI_INT, MPI_SUM))
  CALL_BOTH(Reduce_scatter_block, reduce_scatter_block, (&in, &out, 1, MPI_INT, MPI_SUM))
  CALL_FORMS(Reduce_scatter, reduce_scatter, , (&in, &out, one, MPI_INT, MPI_SUM))
  CALL_FORMS(Reduce_scatter, reduce_scatter, _c, (&in, &out, wide_one, MPI_INT, MPI_SUM))
  CALL_BOTH(Scan, scan, (&in, &out, 1, MPI_INT, MPI_SUM))
  CALL_BOTH(Exscan, exscan, (&in, &out, 1, MPI_INT, MPI_SUM))
}

int main(void) {
  MPI_Init(NULL, NULL);
  call_each_once();
  MPI_Finalize();
  return not_each_once(45);
}
