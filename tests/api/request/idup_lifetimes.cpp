// MPI_Comm_idup duplicates what the communicator is at the call, whatever becomes of it before the request is
// complete (MPI-4.1, 7.4.2).
#include "support/checked.hpp"

using namespace foldlane::testing;

namespace {

void ignore_errors(MPI_Comm*, int*, ...) {}

MPI_Errhandler handler_of(MPI_Comm comm) {
  MPI_Errhandler handler;
  MPI_Comm_get_errhandler(comm, &handler);
  return handler;
}

/// What is copied.
struct Properties {
  int key = MPI_KEYVAL_INVALID;
  int value = 7;
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;

  explicit Properties(MPI_Comm comm) {
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &key, nullptr);
    MPI_Comm_create_errhandler(ignore_errors, &handler);
    MPI_Comm_set_attr(comm, key, &value);
    MPI_Comm_set_errhandler(comm, handler);
  }
  ~Properties() {
    MPI_Comm_free_keyval(&key);
    MPI_Errhandler_free(&handler);
  }
  void check(MPI_Comm comm) const {
    void* found = nullptr;
    int flag = 0;
    MPI_Comm_get_attr(comm, key, &found, &flag);
    check_that(flag != 0 && found == &value, "the attribute of the call was not copied");
    MPI_Errhandler copy = handler_of(comm);
    check_that(copy == handler, "the error handler of the call was not copied");
    MPI_Errhandler_free(&copy);
  }
};

void check_works(MPI_Comm comm) {
  const int one = 1;
  int sum = 0;
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
  check_that(sum == world_size(), "the duplicate does not work");
}

void check_freed_meanwhile() {
  begin_case("MPI_Comm_free before the duplicate is complete");
  for (int round = 0; round < 20; ++round) {
    MPI_Comm comm = duplicate(MPI_COMM_WORLD), made = MPI_COMM_NULL;
    const Properties properties(comm);
    MPI_Request request;
    MPI_Comm_idup(comm, &made, &request);
    if (my_rank() % 2 == round % 2) MPI_Comm_free(&comm);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    properties.check(made);
    check_works(made);
    MPI_Comm_free(&made);
    if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
  }
}

void check_changed_meanwhile() {
  begin_case("attributes and error handler changed before the duplicate is complete");
  MPI_Comm comm = duplicate(MPI_COMM_WORLD), made = MPI_COMM_NULL;
  const Properties properties(comm);
  int other = 8;
  MPI_Request request;
  MPI_Comm_idup(comm, &made, &request);
  MPI_Comm_set_attr(comm, properties.key, &other);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  properties.check(made);
  MPI_Comm_free(&made);
  MPI_Comm_free(&comm);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  check_freed_meanwhile();
  check_changed_meanwhile();
  MPI_Finalize();
  return 0;
}
