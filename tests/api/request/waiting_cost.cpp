// A rank that waits for a late one leaves the CPU to others, whichever way it waits. The last rank is late by
// two seconds; what the others use meanwhile is measured.
#include <sys/resource.h>

#include <chrono>
#include <thread>

#include "support/checked.hpp"

using namespace foldlane::testing;

namespace {

constexpr double kLateS = 2, kMostShare = 0.02;

double cpu_s() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

bool is_late() { return my_rank() == world_size() - 1; }

void be_late() { std::this_thread::sleep_for(std::chrono::duration<double>(kLateS)); }

template <class Wait>
void check_cost(const char* what, const Wait& wait) {
  const double begin = MPI_Wtime(), used = cpu_s();
  wait();
  const double wall_s = MPI_Wtime() - begin, share = (cpu_s() - used) / wall_s;
  std::printf("%s: %.3f s, %.2f %% of a CPU\n", what, wall_s, 100 * share);
  check_that(wall_s > kLateS / 2, "nothing was late");
  check_that(share <= kMostShare, what);
}

/// The operations are under way on all ranks but the late one, when `wait` is called.
template <class Wait>
void check(const char* what, const Wait& wait) {
  begin_case(what);
  std::vector<MPI_Comm> comms = duplicates(2);
  const int one = 1;
  int sums[2] = {};
  MPI_Request requests[2];
  MPI_Barrier(MPI_COMM_WORLD);
  if (is_late()) be_late();
  for (std::size_t i = 0; i < 2; ++i)
    MPI_Iallreduce(&one, &sums[i], 1, MPI_INT, MPI_SUM, comms[i], &requests[i]);
  is_late() ? wait(requests) : check_cost(what, [&] { wait(requests); });
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  check_that(sums[0] == world_size() && sums[1] == world_size(), "a sum of two");
  for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
}

constexpr int kTag = 3;

/// `receive` returns the number that the late rank sends.
template <class Receive>
void check_message(const char* what, const Receive& receive) {
  begin_case(what);
  const int late = world_size() - 1, sent = 42;
  MPI_Barrier(MPI_COMM_WORLD);
  if (is_late()) {
    be_late();
    for (int to = 0; to < late; ++to) MPI_Send(&sent, 1, MPI_INT, to, kTag, MPI_COMM_WORLD);
  } else {
    int received = 0;
    check_cost(what, [&] { received = receive(late); });
    check_that(received == sent, "the number that was sent");
  }
}

int received_from(int late) {
  int number = 0;
  MPI_Recv(&number, 1, MPI_INT, late, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return number;
}

int probed_from(int late) {
  MPI_Probe(late, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return received_from(late);
}

/// The other one never comes.
int first_of_two(int late) {
  int numbers[2] = {}, index = -1;
  MPI_Request receives[2];
  for (int i = 0; i < 2; ++i)
    MPI_Irecv(&numbers[i], 1, MPI_INT, late, kTag + 1 - i, MPI_COMM_WORLD, &receives[i]);
  MPI_Waitany(2, receives, &index, MPI_STATUS_IGNORE);
  check_that(index == 1, "the receive that is over");
  MPI_Cancel(&receives[0]);
  MPI_Wait(&receives[0], MPI_STATUS_IGNORE);
  return numbers[1];
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  check("MPI_Wait", [](MPI_Request* requests) { MPI_Wait(&requests[0], MPI_STATUS_IGNORE); });
  check("MPI_Waitall", [](MPI_Request* requests) { MPI_Waitall(2, requests, MPI_STATUSES_IGNORE); });
  check("MPI_Waitany", [](MPI_Request* requests) {
    int index;
    MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
  });
  check("MPI_Barrier with operations under way", [](MPI_Request*) { MPI_Barrier(MPI_COMM_WORLD); });
  check_message("MPI_Recv", received_from);
  check_message("MPI_Probe", probed_from);
  check_message("MPI_Waitany of receives", first_of_two);
  report_comparisons("waiting");
  MPI_Finalize();
}
