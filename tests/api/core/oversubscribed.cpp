// Four times more ranks than CPUs cost context switches, not time slices: the promise is tens of microseconds
// for an 8-byte allreduce of 8 ranks on 2 CPUs. A quarter of the rounds must keep it, so that a neighbour's
// burst does not count; a spinning library needs milliseconds in every round.
#include <mpi.h>
#include <sched.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "support/expect.h"

namespace {

constexpr int kRounds = 21;
constexpr int kCalls = 500;
constexpr double kBoundUs = 100;

/// The launcher has been given two CPUs (CPUS in CMakeLists.txt), so no rank has another one.
void expect_shared_cpus(int size) {
  cpu_set_t usable;
  expect(sched_getaffinity(0, sizeof usable, &usable) == 0);
  expect_that(CPU_COUNT(&usable) <= 2 && size >= 8, "there are CPUs enough: nobody has to share one");
}

double us_of_a_call(int size) {
  const double one = 1;
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int call = 0; call < kCalls; ++call) {
    double sum = 0;
    MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    expect_that(sum == size, "a wrong sum");
  }
  return (MPI_Wtime() - start) * 1e6 / kCalls;
}

}  // namespace

int main(int argc, char** argv) {
  int rank = 0, size = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  expect_shared_cpus(size);
  std::vector<double> rounds_us;
  for (int round = 0; round < kRounds; ++round) rounds_us.push_back(us_of_a_call(size));
  std::sort(rounds_us.begin(), rounds_us.end());
  const double quarter_us = rounds_us[kRounds / 4];
  if (rank == 0) {
    std::printf("8-byte allreduce: median %.1f us of %d rounds (%.1f to %.1f), a quarter within %.1f us\n",
                rounds_us[kRounds / 2], kRounds, rounds_us.front(), rounds_us.back(), quarter_us);
  }
  expect_that(quarter_us < kBoundUs,
              "only a quarter of the rounds is within us: " + std::to_string(quarter_us));
  MPI_Finalize();
  return 0;
}
