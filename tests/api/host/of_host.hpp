// Included before programs of the oracle that are built for another MPI: what that one lacks of MPI-5. Large
// counts are made small, and datatypes that it does not have are MPI_DATATYPE_NULL, which the oracle leaves
// out.
#pragma once

#include <mpi.h>

#include <vector>

#define MPI_REAL2 MPI_DATATYPE_NULL
#define MPI_COMPLEX4 MPI_DATATYPE_NULL
#define MPI_LOGICAL16 MPI_DATATYPE_NULL

#ifdef OPEN_MPI
#include <mpi-ext.h>

#include "moves_of_openmpi.hpp"

#define MPI_INTEGER16 MPI_DATATYPE_NULL

#define MPI_Barrier_init MPIX_Barrier_init
#define MPI_Bcast_init MPIX_Bcast_init
#define MPI_Reduce_init MPIX_Reduce_init
#define MPI_Allreduce_init MPIX_Allreduce_init
#define MPI_Reduce_scatter_init MPIX_Reduce_scatter_init
#define MPI_Reduce_scatter_block_init MPIX_Reduce_scatter_block_init
#define MPI_Scan_init MPIX_Scan_init
#define MPI_Exscan_init MPIX_Exscan_init

#define MPI_Bcast_c MPI_Bcast
#define MPI_Ibcast_c MPI_Ibcast
#define MPI_Bcast_init_c MPI_Bcast_init
#define MPI_Reduce_c MPI_Reduce
#define MPI_Ireduce_c MPI_Ireduce
#define MPI_Reduce_init_c MPI_Reduce_init
#define MPI_Allreduce_c MPI_Allreduce
#define MPI_Iallreduce_c MPI_Iallreduce
#define MPI_Allreduce_init_c MPI_Allreduce_init
#define MPI_Reduce_scatter_block_c MPI_Reduce_scatter_block
#define MPI_Ireduce_scatter_block_c MPI_Ireduce_scatter_block
#define MPI_Reduce_scatter_block_init_c MPI_Reduce_scatter_block_init
#define MPI_Scan_c MPI_Scan
#define MPI_Iscan_c MPI_Iscan
#define MPI_Scan_init_c MPI_Scan_init
#define MPI_Exscan_c MPI_Exscan
#define MPI_Iexscan_c MPI_Iexscan
#define MPI_Exscan_init_c MPI_Exscan_init

inline int MPI_Reduce_scatter_c(const void* send, void* recv, const MPI_Count counts[], MPI_Datatype type,
                                MPI_Op op, MPI_Comm comm) {
  int ranks = 0;
  MPI_Comm_size(comm, &ranks);
  const std::vector<int> narrow(counts, counts + ranks);
  return MPI_Reduce_scatter(send, recv, narrow.data(), type, op, comm);
}
/// Only blocking calls are made (FOLDLANE_TEST_FORMS).
inline int MPI_Ireduce_scatter_c(const void*, void*, const MPI_Count[], MPI_Datatype, MPI_Op, MPI_Comm,
                                 MPI_Request*) {
  return MPI_ERR_UNSUPPORTED_OPERATION;
}
inline int MPI_Reduce_scatter_init_c(const void*, void*, const MPI_Count[], MPI_Datatype, MPI_Op, MPI_Comm,
                                     MPI_Info, MPI_Request*) {
  return MPI_ERR_UNSUPPORTED_OPERATION;
}

/// One function at a time.
using WideFunction = void(void*, void*, MPI_Count*, MPI_Datatype*);
inline WideFunction* wide_function = nullptr;
inline int MPI_Op_create_c(WideFunction* function, int commute, MPI_Op* op) {
  wide_function = function;
  return MPI_Op_create(
      [](void* in, void* inout, int* length, MPI_Datatype* type) {
        MPI_Count wide = *length;
        wide_function(in, inout, &wide, type);
      },
      commute, op);
}

#else

#define MPI_LOGICAL1 MPI_DATATYPE_NULL
#define MPI_LOGICAL2 MPI_DATATYPE_NULL
#define MPI_LOGICAL4 MPI_DATATYPE_NULL
#define MPI_LOGICAL8 MPI_DATATYPE_NULL

#endif
