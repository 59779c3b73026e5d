// A program that only tests learns of a mismatch, too.
#include "support/checked.hpp"

using namespace foldlane::testing;

namespace {

/// Ends with what the request ended with.
template <class Test>
int test_to_the_end(const Test& test) {
  int flag = 0, code = MPI_SUCCESS;
  while (flag == 0 && code == MPI_SUCCESS) code = test(&flag);
  return code;
}

/// Rank 1 broadcasts and is gone; the others are in a barrier.
template <class Test>
void check(const char* what, const Test& test) {
  begin_case(what, 20);
  MPI_Comm comm = duplicate(MPI_COMM_WORLD);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  if (my_rank() == 1) {
    double data[512] = {};
    check_that(MPI_Bcast(data, 512, MPI_DOUBLE, 1, comm) == MPI_SUCCESS, "a root waited for its readers");
  } else {
    MPI_Request request;
    MPI_Ibarrier(comm, &request);
    int error = MPI_SUCCESS;
    MPI_Error_class(test_to_the_end([&](int* flag) { return test(&request, flag); }), &error);
    check_that(error == MPI_ERR_NOT_SAME || error == MPI_ERR_IN_STATUS, what);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Comm_free(&comm);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  check("MPI_Test",
        [](MPI_Request* request, int* flag) { return MPI_Test(request, flag, MPI_STATUS_IGNORE); });
  check("MPI_Testall",
        [](MPI_Request* request, int* flag) { return MPI_Testall(1, request, flag, MPI_STATUSES_IGNORE); });
  check("MPI_Testany", [](MPI_Request* request, int* flag) {
    int index = 0;
    return MPI_Testany(1, request, &index, flag, MPI_STATUS_IGNORE);
  });
  MPI_Finalize();
  return 0;
}
