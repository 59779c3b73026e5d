// A rank is killed when it has said where its data are, and before the others have pulled them, or copied
// them straight out of its heap: they say that it has died, not that they could not read. Needs
// FOLDLANE_ARMS=pass-way=pull, and two ranks, or block-way=pull, and three; alltoall, two ranks. Argument:
// which call.
#include <signal.h>
#include <sys/uio.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <sstream>
#include <string>

#include "support/can_pull.hpp"
#include "support/checked.hpp"
#include "support/counters.hpp"

using namespace foldlane::testing;

namespace {

constexpr int kTaker = 0, kGiver = 1;
constexpr int kBytes = 64 << 10;

int is_in_call = 0;  // read from outside

struct Giver {
  pid_t process = 0;
  int* flag = nullptr;

  /// What it says, or -1 if it has no memory any more.
  int look() const {
    int seen = 0;
    const iovec here{&seen, sizeof seen}, there{flag, sizeof seen};
    if (::process_vm_readv(process, &here, 1, &there, 1, 0) == sizeof seen) return seen;
    check_that(errno == ESRCH, "the giver is read as long as it lives");
    return -1;
  }
  /// As a wait is when all has been given.
  bool sleeps() const {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::stringstream text;
    text << file.rdbuf();
    return text.str().find(") S ") != std::string::npos;
  }
};

Giver find_giver() {
  std::array<long, 2> where{static_cast<long>(getpid()), reinterpret_cast<long>(&is_in_call)};
  MPI_Bcast(where.data(), 2, MPI_LONG, kGiver, MPI_COMM_WORLD);
  return {static_cast<pid_t>(where[0]), reinterpret_cast<int*>(where[1])};
}

/// In the heaps.
int make_straight(MPI_Comm comm) {
  static char *in = nullptr, *out = nullptr;
  if (in == nullptr) {
    MPI_Alloc_mem(2 * kBytes, MPI_INFO_NULL, &in);
    MPI_Alloc_mem(2 * kBytes, MPI_INFO_NULL, &out);
  }
  return MPI_Alltoall(in, kBytes, MPI_CHAR, out, kBytes, MPI_CHAR, comm);
}

int make(const std::string& which, MPI_Comm comm) {
  static std::vector<char> in(3 * kBytes), out(3 * kBytes);
  if (which == "alltoall") return make_straight(comm);
  if (which == "bcast") return MPI_Bcast(in.data(), kBytes, MPI_CHAR, kGiver, comm);
  if (which == "reduce")
    return MPI_Reduce(in.data(), out.data(), kBytes / 8, MPI_LONG, MPI_SUM, kTaker, comm);
  const std::array<int, 3> counts{kBytes, kBytes, kBytes}, places{0, kBytes, 2 * kBytes};
  return MPI_Alltoallv(in.data(), counts.data(), places.data(), MPI_CHAR, out.data(), counts.data(),
                       places.data(), MPI_CHAR, comm);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc != 2) give_up("usage: killed_giver CALL");
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  begin_case("in a call with a giver that was killed", 20);
  const bool can_pull = foldlane::tests::can_pull(my_rank(), ranks);
  MPI_Comm comm = duplicate(MPI_COMM_WORLD);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  check_that(make(argv[1], comm) == MPI_SUCCESS, "the call before");
  const bool is_straight = foldlane::tests::counted("foldlane_direct_calls") != 0;
  check_that(is_straight == (std::string(argv[1]) == "alltoall"), "the way of the call before");
  const Giver giver = find_giver();
  MPI_Barrier(comm);  // what the takers want has been told
  is_in_call = 1;
  if (can_pull && my_rank() == kTaker) {
    while (giver.look() != 1 || !giver.sleeps()) sched_yield();
    kill(giver.process, SIGKILL);
    while (giver.look() != -1) sched_yield();
  } else if (my_rank() == kTaker) {
    kill(giver.process, SIGKILL);
  }
  int code = make(argv[1], comm);
  // Another taker may have had all of its own.
  if (my_rank() != kTaker && code == MPI_SUCCESS) code = MPI_Barrier(comm);
  int error_class = MPI_SUCCESS;
  MPI_Error_class(code, &error_class);
  check_that(error_class == MPI_ERR_PROC_ABORTED, "the call says that a process has ended");
  std::puts("the call ends with MPI_ERR_PROC_ABORTED");
  std::fflush(stdout);
  _exit(0);
}
