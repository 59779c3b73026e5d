// A rank is killed while the others wait for it in a call about messages, which then ends with the class for
// that. Argument: which call. Recv_of_part needs FOLDLANE_ARMS=message-way=boxes: else all of the message may
// come.
#include <signal.h>

#include <fstream>
#include <sstream>
#include <string>

#include "support/checked.hpp"

using namespace foldlane::testing;

namespace {

constexpr int kKilled = 0, kLong = 1 << 20;

std::vector<char> data(kLong), got(kLong);

struct Call {
  const char* name;
  int (*make)(MPI_Comm);
  void (*begin)(MPI_Comm, int other) = nullptr;  // by the rank that is killed, before the others call
};

int wait_for_any_of_two(MPI_Comm comm) {
  MPI_Request requests[2];
  int index = -1;
  MPI_Irecv(&got[0], 1, MPI_CHAR, kKilled, 1, comm, &requests[0]);
  MPI_Irecv(&got[1], 1, MPI_CHAR, MPI_ANY_SOURCE, 2, comm, &requests[1]);
  return MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
}

const Call kCalls[] = {
    {"Recv",
     [](MPI_Comm comm) { return MPI_Recv(got.data(), 1, MPI_CHAR, kKilled, 1, comm, MPI_STATUS_IGNORE); }},
    {"Recv_from_any",
     [](MPI_Comm comm) {
       return MPI_Recv(got.data(), 1, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE);
     }},
    {"Ssend", [](MPI_Comm comm) { return MPI_Ssend(data.data(), 1, MPI_CHAR, kKilled, 1, comm); }},
    {"Send_of_much", [](MPI_Comm comm) { return MPI_Send(data.data(), kLong, MPI_CHAR, kKilled, 1, comm); }},
    {"Probe", [](MPI_Comm comm) { return MPI_Probe(kKilled, 1, comm, MPI_STATUS_IGNORE); }},
    {"Probe_of_any",
     [](MPI_Comm comm) { return MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE); }},
    {"Waitany", wait_for_any_of_two},
    {"Sendrecv",
     [](MPI_Comm comm) {
       return MPI_Sendrecv(data.data(), 1, MPI_CHAR, kKilled, 1, got.data(), 1, MPI_CHAR, kKilled, 1, comm,
                           MPI_STATUS_IGNORE);
     }},
    {"Recv_of_part",
     [](MPI_Comm comm) { return MPI_Recv(got.data(), kLong, MPI_CHAR, kKilled, 1, comm, MPI_STATUS_IGNORE); },
     [](MPI_Comm comm, int other) {
       MPI_Request request;
       MPI_Isend(data.data(), kLong, MPI_CHAR, other, 1, comm, &request);
     }},
};

const Call& call_named(const std::string& name) {
  for (const Call& call : kCalls)
    if (name == call.name) return call;
  give_up("unknown call " + name);
}

/// As a wait is that has lasted for a while.
bool sleeps(int process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::stringstream text;
  text << file.rdbuf();
  return text.str().find(") S ") != std::string::npos;
}

volatile sig_atomic_t is_released = 0;

/// Makes no call of MPI once the others are in theirs.
[[noreturn]] void die_once_all_wait(const Call& call, MPI_Comm told, MPI_Comm comm) {
  std::vector<int> processes;
  for (int other = 1; other < world_size(); ++other) {
    processes.push_back(0);
    MPI_Recv(&processes.back(), 1, MPI_INT, other, 0, told, MPI_STATUS_IGNORE);
    if (call.begin != nullptr) call.begin(comm, other);
  }
  for (const int process : processes) kill(process, SIGUSR1);
  for (const int process : processes)
    while (!sleeps(process)) sched_yield();
  raise(SIGKILL);
  give_up("killed");
}

/// Sleeps in the call only.
int call_once_released(const Call& call, MPI_Comm told, MPI_Comm comm) {
  const int process = getpid();
  MPI_Send(&process, 1, MPI_INT, kKilled, 0, told);
  while (is_released == 0) sched_yield();
  return call.make(comm);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc != 2) give_up("usage: killed_partner CALL");
  const Call& call = call_named(argv[1]);
  begin_case("in a call with a rank that was killed", 20);
  MPI_Comm comm = duplicate(MPI_COMM_WORLD), told = duplicate(MPI_COMM_WORLD);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  signal(SIGUSR1, [](int) { is_released = 1; });
  if (my_rank() == kKilled) die_once_all_wait(call, told, comm);
  const int code = call_once_released(call, told, comm);
  int error_class = MPI_SUCCESS;
  MPI_Error_class(code, &error_class);
  check_that(error_class == MPI_ERR_PROC_ABORTED, "the call says that a process has ended");
  std::printf("rank %d: %s ends with MPI_ERR_PROC_ABORTED\n", my_rank(), call.name);
  std::fflush(stdout);
  _exit(0);
}
