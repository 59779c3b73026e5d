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

/// The operations are under way on all ranks but the late one, when `wait` is called.
template <class Wait>
void check(const char* what, const Wait& wait) {
  begin_case(what);
  std::vector<MPI_Comm> comms = duplicates(2);
  const int one = 1;
  int sums[2] = {};
  MPI_Request requests[2];
  MPI_Barrier(MPI_COMM_WORLD);
  if (is_late()) std::this_thread::sleep_for(std::chrono::duration<double>(kLateS));
  for (std::size_t i = 0; i < 2; ++i)
    MPI_Iallreduce(&one, &sums[i], 1, MPI_INT, MPI_SUM, comms[i], &requests[i]);
  const double begin = MPI_Wtime(), used = cpu_s();
  wait(requests);
  const double wall_s = MPI_Wtime() - begin, share = (cpu_s() - used) / wall_s;
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  check_that(sums[0] == world_size() && sums[1] == world_size(), "a sum of two");
  if (!is_late()) {
    std::printf("%s: %.3f s, %.2f %% of a CPU\n", what, wall_s, 100 * share);
    check_that(wall_s > kLateS / 2, "nothing was late");
    check_that(share <= kMostShare, what);
  }
  for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
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
  report_comparisons("waiting");
  MPI_Finalize();
}
