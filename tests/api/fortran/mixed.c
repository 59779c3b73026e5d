/* The C part of mixed.f90: shares communicators, datatypes, operations, attributes and requests with Fortran.
 */
#include <mpi.h>
#include <stdint.h>

static void smaller(void* in, void* inout, int* length, MPI_Datatype* datatype) {
  if (*datatype != MPI_INTEGER) return;
  for (int i = 0; i < *length; ++i)
    if (((int*)in)[i] < ((int*)inout)[i]) ((int*)inout)[i] = ((int*)in)[i];
}

int c_start(void) { return MPI_Init(NULL, NULL); }

/* MPI_Fint handles, by both ways of the standard. */
int c_duplicate(int comm) {
  MPI_Comm copy;
  MPI_Comm_dup(MPI_Comm_f2c(comm), &copy);
  return MPI_Comm_toint(copy);
}

int c_operation(void) {
  MPI_Op op;
  MPI_Op_create(smaller, 1, &op);
  return MPI_Op_c2f(op);
}

int c_pairs(void) {
  MPI_Datatype type;
  MPI_Type_contiguous(2, MPI_INTEGER, &type);
  MPI_Type_commit(&type);
  return MPI_Type_toint(type);
}

/* Whether the attribute that Fortran has set is a pointer to this value. */
int c_finds(int comm, int key, int64_t value) {
  MPI_Aint* found;
  int flag;
  MPI_Comm_get_attr(MPI_Comm_fromint(comm), key, &found, &flag);
  return flag && *found == value;
}

/* Sets an attribute to an address, which Fortran finds as an integer. */
int64_t c_sets(int comm, int key) {
  static int anything;
  MPI_Comm_set_attr(MPI_Comm_fromint(comm), key, &anything);
  return (int64_t)(intptr_t)&anything;
}

/* Completes an operation that Fortran has started on a section. */
int c_waits(int* request) {
  MPI_Request in_c = MPI_Request_fromint(*request);
  int code = MPI_Wait(&in_c, MPI_STATUS_IGNORE);
  *request = MPI_Request_toint(in_c);
  return code;
}

int c_status(const int* fortran, int source, int tag) {
  MPI_Status status;
  MPI_Status_f2c(fortran, &status);
  return status.MPI_SOURCE == source && status.MPI_TAG == tag;
}
