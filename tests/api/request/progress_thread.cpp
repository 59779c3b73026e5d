// With --progress-thread what is under way ends while the program makes no calls at all.
#include <sched.h>

#include "support/checked.hpp"

using namespace foldlane::testing;

namespace {

/// Elements: inline, and in more chunks than there are slots.
constexpr std::size_t kCounts[] = {1, 40, 5'000, 500'000};

/// Looks at the result until it is there. Without the thread it never is.
void compute_until(const std::vector<int>& values, int expected) {
  const volatile int* const last = &values.back();
  while (*last != expected) sched_yield();
}

void check_allreduce(std::size_t count, MPI_Comm comm) {
  const int sum = world_size() * (world_size() + 1) / 2;
  const std::vector<int> mine(count, my_rank() + 1);
  std::vector<int> result(count, -1);
  MPI_Request request;
  MPI_Iallreduce(mine.data(), result.data(), static_cast<int>(count), MPI_INT, MPI_SUM, comm, &request);
  compute_until(result, sum);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (const int value : result) check_that(value == sum, "a wrong sum");
}

/// All other calls are as ever.
void check_blocking(MPI_Comm comm) {
  for (int round = 0; round < 200; ++round) {
    const int one = 1;
    int sum = 0;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    check_that(sum == world_size(), "a blocking call beside the thread");
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int provided = -1;
  MPI_Query_thread(&provided);
  check_that(provided == MPI_THREAD_SINGLE, "the thread is not the program's");
  begin_case("operations end without calls");
  MPI_Comm comm = duplicate(MPI_COMM_WORLD);
  for (const std::size_t count : kCounts) check_allreduce(count, comm);
  begin_case("blocking calls beside the thread");
  check_blocking(comm);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
