// fork under mpiexec --shared-heap: parent and child have heaps of their own, as everywhere.
#include <mpi.h>
#include <pthread.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <numeric>
#include <thread>
#include <vector>

#include "support/direct_calls.hpp"

namespace {

constexpr std::size_t kCount = 3'000'000;

/// Ends with exit code 0 if `check` holds there.
template <class Check>
pid_t fork_to(const Check& check) {
  const pid_t child = fork();
  if (child == 0) _exit(check() ? 0 : 1);
  expect_that(child > 0, "no fork");
  return child;
}

int status_of(pid_t child) {
  int status = -1;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

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
  const pid_t grandchild = fork_to([&] {
    values[0] = 99;
    return more.front() == 3 && more.back() == 3 && values[1] == -6;
  });
  return status_of(grandchild) == 0 && counts_from(values, -7);
}

void check_fork() {
  std::vector<int> values(kCount);
  std::iota(values.begin(), values.end(), 5);
  int told[2];
  expect_that(pipe(told) == 0, "no pipe");
  const pid_t child = fork_to([&] { return child_is_on_its_own(values, told[0]); });
  std::iota(values.begin(), values.end(), 1000);
  std::vector<int>(kCount, 4).swap(values);
  expect_that(write(told[1], "x", 1) == 1, "no word to the child");
  expect_that(status_of(child) == 0, "the child does not see its memory");
  expect_that(values[kCount - 1] == 4, "the child wrote into its parent's memory");
  close(told[0]);
  close(told[1]);
}

// ---- handlers of fork that the program registers before MPI_Init

std::vector<int>* counted = nullptr;  // the first and the last are equal but under the lock
std::mutex counting;

void lock_counting() {
  if (counted != nullptr) counting.lock();
}
void unlock_counting() {
  if (counted != nullptr) counting.unlock();
}
void count_in_child() {
  if (counted == nullptr) return;
  counted->at(1) += 1;
  counting.unlock();
}

void check_handlers() {
  std::vector<int> values(10 * kCount, 0);
  counted = &values;
  std::atomic<bool> over = false;
  std::thread counter([&] {
    while (!over) {
      const std::lock_guard lock(counting);
      values.front() += 1;
      values.back() += 1;
    }
  });
  for (int turn = 0; turn < 3; ++turn) {
    const pid_t child = fork_to([&] { return values.front() == values.back() && values[1] == 1; });
    expect_that(status_of(child) == 0, "the child sees a torn heap");
  }
  over = true;
  counter.join();
  counted = nullptr;
  expect_that(values[1] == 0, "a handler in the child wrote into its parent's memory");
}

// ---- signals

void fork_in_handler(int) {
  const int kept = errno;
  if (const pid_t child = fork(); child == 0) _exit(0);
  errno = kept;
}

/// One fires while its thread waits for the copy of another fork.
void check_signals() {
  struct sigaction action {
  }, before{};
  action.sa_handler = fork_in_handler;
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, &before);
  const std::vector<int> values(10 * kCount, 1);
  const itimerval soon{{}, {0, 2000}};
  for (int turn = 0; turn < 3; ++turn) {
    setitimer(ITIMER_REAL, &soon, nullptr);
    expect_that(status_of(fork_to([&] { return values.back() == 1; })) == 0,
                "the child does not see its memory");
  }
  const itimerval never{};
  setitimer(ITIMER_REAL, &never, nullptr);
  sigaction(SIGALRM, &before, nullptr);
  while (waitpid(-1, nullptr, 0) > 0 || errno == EINTR) {
  }
}

/// Without the descriptor the child cannot have its copy: it ends, and nothing else does.
void check_closed_descriptors() {
  for (int fd = 3; fd < 256; ++fd) close(fd);
  const int status = status_of(fork_to([] { return true; }));
  expect_that(WIFEXITED(status) && WEXITSTATUS(status) == 1, "a child goes on without its heap");
}

}  // namespace

int main(int argc, char** argv) {
  pthread_atfork(lock_counting, unlock_counting, count_in_child);
  MPI_Init(&argc, &argv);
  for (int turn = 0; turn < 3; ++turn) check_fork();
  check_handlers();
  check_signals();
  expect_that(std::system("true") == 0, "system");
  std::vector<double> one(20'000, 1), sum(20'000);
  foldlane::tests::expect_direct(
      [&] { MPI_Allreduce(one.data(), sum.data(), 20'000, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); }, true,
      "allreduce after fork is not direct");
  expect_that(sum[7] == 2, "a wrong sum");
  check_closed_descriptors();
  MPI_Finalize();
  return 0;
}
