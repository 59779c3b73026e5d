// A copy function that fails on MPI_COMM_SELF is the business of nobody else.
#include "support/checked.hpp"

using namespace foldlane::testing;

namespace {

int refuse(MPI_Comm, int, void*, void*, void*, int*) { return MPI_ERR_OTHER; }

void fail_to_duplicate_self(bool nonblocking) {
  int key = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(refuse, MPI_COMM_NULL_DELETE_FN, &key, nullptr);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);
  MPI_Comm made = MPI_COMM_NULL;
  if (nonblocking) {
    MPI_Request request = MPI_REQUEST_NULL;
    const bool refused = MPI_Comm_idup(MPI_COMM_SELF, &made, &request) != MPI_SUCCESS ||
                         MPI_Wait(&request, MPI_STATUS_IGNORE) != MPI_SUCCESS;
    check_that(refused, "an attribute that cannot be copied was copied");
  } else {
    check_that(MPI_Comm_dup(MPI_COMM_SELF, &made) != MPI_SUCCESS, "the attribute was copied");
  }
  MPI_Comm_delete_attr(MPI_COMM_SELF, key);
  MPI_Comm_free_keyval(&key);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  for (const MPI_Comm comm : {MPI_COMM_WORLD, MPI_COMM_SELF})
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  for (const bool nonblocking : {false, true}) {
    begin_case("a refused duplicate of MPI_COMM_SELF");
    if (my_rank() == 0) {
      fail_to_duplicate_self(nonblocking);
      usleep(300'000);  // so long that the others ask whether this one will ever come
    }
    check_that(MPI_Barrier(MPI_COMM_WORLD) == MPI_SUCCESS, "MPI_COMM_WORLD broke");
  }
  MPI_Finalize();
  return 0;
}
