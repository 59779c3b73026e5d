// Two threads of a rank in collectives of one communicator at the same time: the second one gets an error
// that names both calls, and the first one's call goes on.
#include <atomic>
#include <string>
#include <thread>

#include "support/checked.hpp"

using namespace foldlane::testing;

namespace {

using Collective = int (*)(MPI_Comm);

int barrier(MPI_Comm comm) { return MPI_Barrier(comm); }
int allreduce(MPI_Comm comm) {
  const int one = 1;
  int sum = 0;
  return MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
}
int duplicate_and_free(MPI_Comm comm) {
  MPI_Comm made = MPI_COMM_NULL;
  const int code = MPI_Comm_dup(comm, &made);
  if (code == MPI_SUCCESS) MPI_Comm_free(&made);
  return code;
}

struct Attempt {
  const char* name;
  Collective call;
};
constexpr Attempt kAttempts[] = {
    {"MPI_Barrier", barrier}, {"MPI_Allreduce", allreduce}, {"MPI_Comm_dup", duplicate_and_free}};

/// What the thread that came second has got. The error text is its own thread's.
struct Loser {
  std::atomic<int> index = -1;
  int code = MPI_SUCCESS;
  std::string text;
};

void attempt(int index, const Attempt& what, MPI_Comm comm, Loser& loser) {
  const int code = what.call(comm);
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(code, text, &length);
  loser.code = code;
  loser.text = text;
  loser.index = index;
}

/// Rank 0's part: the others come when one of its threads has got the error, and do what the other one does.
void try_two_at_once(const Attempt (&attempts)[2], MPI_Comm comm) {
  Loser loser;
  std::jthread threads[2];
  for (int i = 0; i < 2; ++i) threads[i] = std::jthread([&, i] { attempt(i, attempts[i], comm, loser); });
  while (loser.index < 0) std::this_thread::yield();
  int winner = 1 - loser.index;
  check_that(loser.code == MPI_ERR_OTHER, "another error class");
  for (const Attempt& each : attempts)
    check_that(loser.text.find(each.name) != std::string::npos, "a call without its name in the error");
  MPI_Bcast(&winner, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

void follow(const Attempt (&attempts)[2], MPI_Comm comm) {
  int winner = -1;
  MPI_Bcast(&winner, 1, MPI_INT, 0, MPI_COMM_WORLD);
  check_that(attempts[winner].call(comm) == MPI_SUCCESS, "the call that came first broke");
}

void check(const Attempt& one, const Attempt& other) {
  begin_case(one.name, 20);
  MPI_Comm comm = duplicate(MPI_COMM_WORLD);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  const Attempt attempts[] = {one, other};
  if (my_rank() == 0) {
    try_two_at_once(attempts, comm);
  } else {
    follow(attempts, comm);
  }
  check_that(allreduce(comm) == MPI_SUCCESS, "the communicator does not work any more");
  MPI_Comm_free(&comm);
}

int meet(MPI_Comm comm, int, void*, void*, void*, int* flag) {
  *flag = 0;
  return MPI_Barrier(comm);
}

/// One thread alone: the copy functions of a duplicate come after its collective part.
void check_copy_function() {
  begin_case("a collective in a copy function", 20);
  int key = MPI_KEYVAL_INVALID;
  MPI_Comm comm = duplicate(MPI_COMM_WORLD), made = MPI_COMM_NULL;
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Comm_create_keyval(meet, MPI_COMM_NULL_DELETE_FN, &key, nullptr);
  MPI_Comm_set_attr(comm, key, nullptr);
  check_that(MPI_Comm_dup(comm, &made) == MPI_SUCCESS, "a copy function could not use its communicator");
  MPI_Comm_free_keyval(&key);
  MPI_Comm_free(&made);
  MPI_Comm_free(&comm);
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  for (const Attempt& one : kAttempts)
    for (const Attempt& other : kAttempts) check(one, other);
  check_copy_function();
  MPI_Finalize();
  return 0;
}
