/* mpi.h alone in the oldest languages it promises: built as C99 and as C++11 with -pedantic. The constants
 * are compared with the table of the ABI when the library is built (generated/abi_check.c). */
#include <mpi.h>

static void add(void* in, void* inout, int* length, MPI_Datatype* datatype) {
  int i;
  (void)datatype;
  for (i = 0; i < *length; ++i) ((double*)inout)[i] += ((double*)in)[i];
}

/* Fortran's names are macros written by hand; what mpi.h leaves out or misspells does not compile. */
#define COMES_BACK(name, handle)                              \
  (MPI_##name##_f2c(PMPI_##name##_c2f(handle)) == (handle) && \
   PMPI_##name##_f2c(MPI_##name##_c2f(handle)) == (handle))

static int check(int condition, int code) { return condition ? 0 : code; }

int main(int argc, char** argv) {
  double value = 1.0, sum = 0.0;
  MPI_Status status = {0, 0, 0, {0, 0, 0, 0, 0}};
  MPI_Op op = MPI_OP_NULL;
  MPI_Comm graph = MPI_COMM_NULL;
  int rank = 0;
  int failures = 0;
  MPI_Init(&argc, &argv);
  MPI_Op_create(add, 1, &op);
  MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, op, MPI_COMM_WORLD);
  failures += check(sum == 1.0, 1);
  PMPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_SELF);
  failures += check(sum == 1.0, 2);
  failures += check(sizeof status == 32, 4);
  failures += check(MPI_VERSION == 5 && MPI_ABI_VERSION == 1, 8);
  failures += check(COMES_BACK(Comm, MPI_COMM_SELF) && COMES_BACK(Errhandler, MPI_ERRORS_RETURN) &&
                        COMES_BACK(File, MPI_FILE_NULL) && COMES_BACK(Group, MPI_GROUP_EMPTY) &&
                        COMES_BACK(Info, MPI_INFO_ENV) && COMES_BACK(Message, MPI_MESSAGE_NO_PROC) &&
                        COMES_BACK(Op, op) && COMES_BACK(Request, MPI_REQUEST_NULL) &&
                        COMES_BACK(Session, MPI_SESSION_NULL) && COMES_BACK(Type, MPI_DOUBLE) &&
                        COMES_BACK(Win, MPI_WIN_NULL),
                    16);
  /* Constants that are the address of no array: no compiler may complain. */
  failures += check(MPI_Dist_graph_create(MPI_COMM_SELF, 0, 0, 0, 0, MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, 0,
                                          &graph) == MPI_SUCCESS,
                    32);
  failures += check(
      MPI_Dist_graph_neighbors(graph, 0, &rank, MPI_UNWEIGHTED, 0, &rank, MPI_UNWEIGHTED) == MPI_SUCCESS, 64);
  MPI_Comm_free(&graph);
  MPI_Op_free(&op);
  MPI_Finalize();
  return failures;
}
