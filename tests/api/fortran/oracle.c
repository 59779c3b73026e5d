/* What C gets for the elements of oracle.F90. */
#include <mpi.h>
#include <string.h>

enum { kCount = 33 };

void c_allreduce(const void* sent, void* received, int datatype, int op) {
  MPI_Allreduce(sent, received, kCount, MPI_Type_fromint(datatype), MPI_Op_fromint(op), MPI_COMM_WORLD);
}

void c_scan(const void* sent, void* received, int datatype, int op) {
  MPI_Scan(sent, received, kCount, MPI_Type_fromint(datatype), MPI_Op_fromint(op), MPI_COMM_WORLD);
}

int c_differs(const void* a, const void* b, int bytes) { return memcmp(a, b, (size_t)bytes) != 0; }
