// Programs whose ranks wait for long, and look as if they could only be released by each other, but for one
// that computes, or is stopped, for two seconds. There must be no report.
#include <mpi.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace {

constexpr std::chrono::milliseconds kLong(2000);

int rank, size;
std::array<int, 4> data;
std::vector<char> large(1 << 20);
const MPI_Comm world = MPI_COMM_WORLD;

void compute(std::chrono::milliseconds time = kLong) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) {
  }
}
void receive(int source, int tag = 5) {
  MPI_Recv(data.data(), 2, MPI_INT, source, tag, world, MPI_STATUS_IGNORE);
}
void send(int dest, int tag = 5) { MPI_Send(data.data(), 2, MPI_INT, dest, tag, world); }

/// The last rank computes, the others wait for each other in a row.
void row() {
  if (rank == size - 1) compute();
  if (rank < size - 1) receive(rank + 1);
  if (rank > 0) send(rank - 1);
}
void row_downwards() {
  if (rank == 0) compute();
  if (rank > 0) receive(rank - 1);
  if (rank < size - 1) send(rank + 1);
}
void barrier() {
  if (rank == 1) compute();
  MPI_Barrier(world);
}
void bcast() {
  if (rank == 0) compute();
  MPI_Bcast(data.data(), 2, MPI_INT, 0, world);
}
/// Rank 0 could be released by any; all but the last one wait for it.
void any() {
  if (rank == size - 1) {
    compute();
    send(0);
  } else if (rank > 0) {
    receive(0);
  } else {
    receive(MPI_ANY_SOURCE);
    for (int other = 1; other < size - 1; ++other) send(other);
  }
}
void waitany() {
  if (rank != 0) {
    if (rank == size - 1) compute();
    if (rank != size - 1) receive(0, 6);
    return send(0);
  }
  std::vector<MPI_Request> requests(static_cast<std::size_t>(size) - 1);
  std::vector<std::array<int, 2>> results(requests.size());
  for (int i = 1; i < size; ++i) {
    const auto at = static_cast<std::size_t>(i) - 1;
    MPI_Irecv(results[at].data(), 2, MPI_INT, i, 5, world, &requests[at]);
  }
  int index;
  MPI_Waitany(size - 1, requests.data(), &index, MPI_STATUS_IGNORE);
  for (int other = 1; other < size - 1; ++other) send(other, 6);
  MPI_Waitall(size - 1, requests.data(), MPI_STATUSES_IGNORE);
}
/// What has come already is not waited for, nor what nobody sends: rank 1 waits for this one.
void waitall() {
  if (rank == 1) send(0, 6);
  if (rank == size - 1) compute();
  if (rank == size - 1) send(0);
  if (rank == 1) receive(0, 7);
  if (rank != 0) return;
  std::array<MPI_Request, 3> requests;
  std::array<std::array<int, 2>, 3> results;
  const std::array<int, 3> sources{size - 1, MPI_PROC_NULL, 1}, tags{5, 5, 6};
  for (std::size_t i = 0; i < 3; ++i)
    MPI_Irecv(results[i].data(), 2, MPI_INT, sources[i], tags[i], world, &requests[i]);
  MPI_Waitall(3, requests.data(), MPI_STATUSES_IGNORE);
  send(1, 7);
}
/// What is sent is taken only later.
void late_receiver() {
  if (rank > 1) return;
  if (rank == 1) compute();
  if (rank == 0) MPI_Send(large.data(), 1 << 20, MPI_CHAR, 1, 5, world);
  if (rank == 1) MPI_Recv(large.data(), 1 << 20, MPI_CHAR, 0, 5, world, MPI_STATUS_IGNORE);
}
void probe() {
  if (rank == 1) compute();
  if (rank == 1) send(0);
  if (rank != 0) return;
  MPI_Probe(1, 5, world, MPI_STATUS_IGNORE);
  receive(1);
}
/// Tests are no waits.
void test() {
  if (rank == 1) receive(0);
  if (rank != 0) return;
  MPI_Request request;
  MPI_Irecv(data.data(), 2, MPI_INT, 0, 6, world, &request);
  const auto end = std::chrono::steady_clock::now() + kLong;
  for (int flag = 0; std::chrono::steady_clock::now() < end;) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  send(0, 6);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  send(1);
}
/// All are slow, and go on all the time.
void slow_ring() {
  for (int round = 0; round < 20; ++round) {
    if (rank == 0) compute(std::chrono::milliseconds(100));
    if (rank == 0) send(1 % size);
    receive((rank + size - 1) % size);
    if (rank != 0) send((rank + 1) % size);
  }
}

bool is_stopped(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string line;
  std::getline(file, line);
  return line[line.rfind(')') + 2] == 'T';
}
/// Of this process: it goes on later.
pid_t continue_later(pid_t process) {
  const pid_t child = fork();
  if (child != 0) return child;
  usleep(std::chrono::microseconds(kLong).count());
  kill(process, SIGCONT);
  _exit(0);
}
void stopped() {
  if (rank == 1) {
    const pid_t child = continue_later(getpid());
    raise(SIGSTOP);
    waitpid(child, nullptr, 0);
    send(0);
  }
  if (rank == 0) receive(1);
}
/// Rank 1 is stopped while it waits, and what it waits for has come by then: only that it does not look says
/// that this is no deadlock.
void stopped_while_waiting() {
  if (rank > 2) return;
  const int last = 2;
  if (rank == 0) receive(1), send(last);
  if (rank == 1) {
    data[0] = getpid();
    send(last, 6);
    receive(last);
    send(0);
  }
  if (rank == last) {
    receive(1, 6);
    const pid_t waiter = data[0];
    usleep(500'000);  // so that its wait is a long one; nothing depends on it
    const pid_t child = continue_later(waiter);
    kill(waiter, SIGSTOP);
    while (!is_stopped(waiter)) sched_yield();
    send(1);
    receive(0);
    waitpid(child, nullptr, 0);
  }
}

const std::map<std::string, std::function<void()>> kinds{
    {"row", row},
    {"row-downwards", row_downwards},
    {"barrier", barrier},
    {"bcast", bcast},
    {"any", any},
    {"waitany", waitany},
    {"waitall", waitall},
    {"late-receiver", late_receiver},
    {"probe", probe},
    {"test", test},
    {"slow-ring", slow_ring},
    {"stopped", stopped},
    {"stopped-while-waiting", stopped_while_waiting},
};

}  // namespace

int main(int argc, char** argv) {
  const std::string kind = argc > 1 ? argv[1] : "";
  if (kinds.count(kind) == 0) return 2;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(world, &rank);
  MPI_Comm_size(world, &size);
  kinds.at(kind)();
  MPI_Finalize();
  return 0;
}
