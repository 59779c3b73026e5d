// A rank is killed while the others are in calls that move data: each ends with the class for that, within a
// second. Argument: which call, and whether the others wait for what it sends ("short") or for it to receive
// ("long").
#include <signal.h>

#include <string>

#include "support/checked.hpp"

using namespace foldlane::testing;

namespace {

constexpr double kBoundS = 1.0;

int make(const std::string& which, int n, char* in, char* out, MPI_Comm comm) {
  if (which == "alltoall") return MPI_Alltoall(in, n, MPI_CHAR, out, n, MPI_CHAR, comm);
  if (which == "in_place") return MPI_Alltoall(MPI_IN_PLACE, n, MPI_CHAR, out, n, MPI_CHAR, comm);
  if (which == "gather") return MPI_Gather(in, n, MPI_CHAR, out, n, MPI_CHAR, 0, comm);
  MPI_Request request;
  const int code = MPI_Iallgather(in, n, MPI_CHAR, out, n, MPI_CHAR, comm, &request);
  return code != MPI_SUCCESS ? code : MPI_Wait(&request, MPI_STATUS_IGNORE);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc != 3) give_up("usage: killed_moves CALL LENGTH");
  begin_case("in a call with a rank that was killed", 20);
  const int n = std::string(argv[2]) == "long" ? 300'000 : 200;
  std::vector<char> in(3 * 300'000), out(3 * 300'000);
  MPI_Comm comm = duplicate(MPI_COMM_WORLD);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Barrier(MPI_COMM_WORLD);
  if (my_rank() == 0) raise(SIGKILL);
  const double start = MPI_Wtime();
  int code = MPI_SUCCESS;
  // Who only gives a few bytes does not wait for anybody.
  while (code == MPI_SUCCESS && MPI_Wtime() - start < kBoundS)
    code = make(argv[1], n, in.data(), out.data(), comm);
  int error_class = MPI_SUCCESS;
  MPI_Error_class(code, &error_class);
  check_that(error_class == MPI_ERR_PROC_ABORTED, "the call says that a process has ended");
  check_that(MPI_Wtime() - start < kBoundS, "it says so in time");
  std::puts("the call ends with MPI_ERR_PROC_ABORTED");
  std::fflush(stdout);
  _exit(0);
}
