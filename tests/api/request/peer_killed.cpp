// A rank is killed while the others have collectives under way: each completes with the class for that,
// within a second, however it is waited for. Argument: wait, test, all, any, some, testall or persistent.
#include <signal.h>

#include "support/checked.hpp"

using namespace foldlane::testing;

namespace {

constexpr double kBoundS = 1.0;

int error_of(const MPI_Status* statuses, int count) {
  for (int i = 0; i < count; ++i) {
    const int code = statuses[i].MPI_ERROR;
    if (code != MPI_SUCCESS && code != MPI_ERR_PENDING) return code;
  }
  return MPI_SUCCESS;
}

/// The code of the first request that has failed.
int complete(const std::string& how, MPI_Request* requests) {
  MPI_Status statuses[2];
  int index, flag = 0, count, indices[2];
  if (how == "wait" || how == "persistent") return MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  if (how == "any") return MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
  int code = MPI_SUCCESS;
  if (how == "test") {
    while (flag == 0 && code == MPI_SUCCESS) code = MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
    return code;
  }
  if (how == "all") code = MPI_Waitall(2, requests, statuses);
  if (how == "some") code = MPI_Waitsome(2, requests, &count, indices, statuses);
  if (how == "testall")
    while (flag == 0 && code == MPI_SUCCESS) code = MPI_Testall(2, requests, &flag, statuses);
  check_that(code == MPI_ERR_IN_STATUS, "a call with statuses says that they have the errors");
  return error_of(statuses, how == "some" ? count : 2);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc != 2) give_up("usage: peer_killed HOW");
  const std::string how = argv[1];
  begin_case("waiting for a rank that was killed", 20);
  MPI_Comm comms[] = {duplicate(MPI_COMM_WORLD), duplicate(MPI_COMM_WORLD)};
  std::vector<int> in(100'000, 1), out(200'000);
  MPI_Request requests[2];
  for (int i = 0; i < 2; ++i) MPI_Comm_set_errhandler(comms[i], MPI_ERRORS_RETURN);
  MPI_Barrier(MPI_COMM_WORLD);
  if (my_rank() == 0) raise(SIGKILL);
  for (int i = 0; i < 2; ++i) {
    int* const to = out.data() + i * 100'000;
    if (how == "persistent") {
      MPI_Allreduce_init(in.data(), to, 100'000, MPI_INT, MPI_SUM, comms[i], MPI_INFO_NULL, &requests[i]);
      MPI_Start(&requests[i]);
    } else {
      MPI_Iallreduce(in.data(), to, 100'000, MPI_INT, MPI_SUM, comms[i], &requests[i]);
    }
  }
  const double begin = MPI_Wtime();
  const int code = complete(how, requests);
  const double seconds = MPI_Wtime() - begin;
  int error_class = MPI_SUCCESS, length;
  MPI_Error_class(code, &error_class);
  char text[MPI_MAX_ERROR_STRING];
  MPI_Error_string(code, text, &length);
  if (error_class != MPI_ERR_PROC_ABORTED) give_up(std::string("another class: ") + text);
  if (seconds >= kBoundS) give_up("it took " + std::to_string(seconds) + " s");
  std::printf("%s: %s\n", how.c_str(), text);
  std::fflush(stdout);
  return 0;
}
