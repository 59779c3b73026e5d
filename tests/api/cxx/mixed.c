/* The half in C. */
#include "mixed.h"

#include "support/expect.h"

int c_value = 17;

void c_uses(MPI_Comm comm, MPI_Datatype pair, MPI_Op sum, int keyval) {
  int ranks, flag, numbers[4] = {1, -1, 1, -1}, *attribute;
  MPI_Comm_size(comm, &ranks);
  expect(MPI_Allreduce(MPI_IN_PLACE, numbers, 1, pair, sum, comm) == MPI_SUCCESS);
  expect(numbers[0] == ranks && numbers[2] == ranks && numbers[1] == -1 && numbers[3] == -1);
  expect(MPI_Comm_get_attr(comm, keyval, &attribute, &flag) == MPI_SUCCESS && flag && *attribute == 42);
  /* The functions of the keyval are C++'s. */
  MPI_Comm copy;
  expect(MPI_Comm_dup(comm, &copy) == MPI_SUCCESS);
  expect(MPI_Comm_get_attr(copy, keyval, &attribute, &flag) == MPI_SUCCESS && flag && *attribute == 42);
  MPI_Comm_free(&copy);
  /* So is the error handler, which returns C its error. */
  expect(MPI_Barrier(MPI_COMM_NULL) == MPI_ERR_COMM);
}

static void add(void* in, void* inout, int* length, MPI_Datatype* datatype) {
  (void)datatype;
  for (int i = 0; i < *length; ++i) ((int*)inout)[i] += ((int*)in)[i];
}

MPI_Comm c_communicator(void) {
  int rank;
  MPI_Comm comm;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comm);
  return comm;
}

MPI_Datatype c_datatype(void) {
  MPI_Datatype type;
  MPI_Type_contiguous(2, MPI_INT, &type);
  MPI_Type_commit(&type);
  return type;
}

MPI_Op c_operation(void) {
  MPI_Op op;
  MPI_Op_create(add, 1, &op);
  return op;
}

int c_keyval(void) {
  int keyval;
  MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
  return keyval;
}
