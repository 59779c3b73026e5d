// fork under mpiexec --shared-heap: parent and child have heaps of their own, as everywhere.
#include <mpi.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <numeric>
#include <vector>

#include "direct_calls.hpp"

namespace {

using foldlane::tests::require;

constexpr std::size_t kCount = 3'000'000;

bool counts_from(const std::vector<int>& values, int first) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] != first + static_cast<int>(i)) return false;
  }
  return true;
}

/// Whether everything is as it was at fork, and whether the heap works.
bool child_is_on_its_own(std::vector<int>& values, int told) {
  char word;
  if (read(told, &word, 1) != 1 || !counts_from(values, 5)) return false;
  std::iota(values.begin(), values.end(), -7);
  const std::vector<int> more(10 * kCount, 3);  // where the parent has nothing
  const pid_t grandchild = fork();
  if (grandchild == 0) {
    values[0] = 99;
    _exit(more.front() == 3 && more.back() == 3 && values[1] == -6 ? 0 : 1);
  }
  int status = 0;
  return waitpid(grandchild, &status, 0) == grandchild && status == 0 && counts_from(values, -7);
}

void check_fork() {
  std::vector<int> values(kCount);
  std::iota(values.begin(), values.end(), 5);
  int told[2];
  require(pipe(told) == 0, "no pipe");
  const pid_t child = fork();
  if (child == 0) _exit(child_is_on_its_own(values, told[0]) ? 0 : 1);
  require(child > 0, "no fork");
  std::iota(values.begin(), values.end(), 1000);
  std::vector<int>(kCount, 4).swap(values);
  require(write(told[1], "x", 1) == 1, "no word to the child");
  int status = 0;
  require(waitpid(child, &status, 0) == child && status == 0, "the child does not see its memory");
  require(values[kCount - 1] == 4, "the child wrote into its parent's memory");
  close(told[0]);
  close(told[1]);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  for (int turn = 0; turn < 3; ++turn) check_fork();
  require(std::system("true") == 0, "system");
  std::vector<double> one(20'000, 1), sum(20'000);
  foldlane::tests::expect_direct(
      [&] { MPI_Allreduce(one.data(), sum.data(), 20'000, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); }, true,
      "allreduce after fork is not direct");
  require(sum[7] == 2, "a wrong sum");
  MPI_Finalize();
  return 0;
}
