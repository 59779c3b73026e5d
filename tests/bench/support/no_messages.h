/* An MPI without messages: included before each file of the measurement program. */
#pragma once
#define _GNU_SOURCE
#include <mpi.h>

#define MPI_Send(...) MPI_ERR_UNSUPPORTED_OPERATION
#define MPI_Recv(...) MPI_ERR_UNSUPPORTED_OPERATION
#define MPI_Isend(...) MPI_ERR_UNSUPPORTED_OPERATION
#define MPI_Irecv(...) MPI_ERR_UNSUPPORTED_OPERATION
