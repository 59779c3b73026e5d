// MPI_THREAD_MULTIPLE: every thread has a communicator of its own and makes calls of all size classes on it,
// in an order of its own, and on communicators that it makes and frees meanwhile. Argument: rounds per
// thread.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "support/expect.h"

namespace {

constexpr int kThreads = 4;
constexpr int kFreedEvery = 16;
// inline, one-shot, two-shot, pipelined with a rest
constexpr int kSizes[] = {1, 14, 500, 30'000, 200'011};
// Most calls are small, as in programs; the large ones would take all the time.
constexpr int kSchedule[] = {0, 1, 2, 0, 1, 3, 0, 2, 1, 0, 2, 0, 3, 1, 0, 4};

struct Worker {
  MPI_Comm comm;
  int thread;
  int rank;
  int size;
  std::vector<int> in;
  std::vector<int> out;
};

/// What rank r has at index i of a round.
int element(const Worker& worker, int round, int rank, int i) {
  return (worker.thread + 1) * 1'000'003 + round * 7919 + (rank + 1) * (i % 1001 + 1);
}

/// The sum of the elements of ranks [0, ranks).
int sum_of(const Worker& worker, int round, int ranks, int i) {
  return ranks * ((worker.thread + 1) * 1'000'003 + round * 7919) + ranks * (ranks + 1) / 2 * (i % 1001 + 1);
}

void load(Worker& worker, int round, int count) {
  worker.in.resize(static_cast<std::size_t>(count));
  worker.out.assign(static_cast<std::size_t>(count), -1);
  for (int i = 0; i < count; ++i)
    worker.in[static_cast<std::size_t>(i)] = element(worker, round, worker.rank, i);
}

void check(const Worker& worker, int round, int ranks, const char* call) {
  const int count = static_cast<int>(worker.out.size());
  for (int i = 0; i < count; ++i) {
    if (worker.out[static_cast<std::size_t>(i)] == sum_of(worker, round, ranks, i)) continue;
    give_up("thread " + std::to_string(worker.thread) + ": " + call + " of " + std::to_string(count) +
            " in round " + std::to_string(round) + ": element " + std::to_string(i) + " is wrong");
  }
}

void allreduce(Worker& worker, int round) {
  MPI_Allreduce(worker.in.data(), worker.out.data(), static_cast<int>(worker.in.size()), MPI_INT, MPI_SUM,
                worker.comm);
  check(worker, round, worker.size, "MPI_Allreduce");
}

/// The leaves leave while their slots are being read, and are in another thread's or team's call then.
void reduce(Worker& worker, int round) {
  const int root = round % worker.size;
  MPI_Reduce(worker.in.data(), worker.out.data(), static_cast<int>(worker.in.size()), MPI_INT, MPI_SUM, root,
             worker.comm);
  if (worker.rank == root) check(worker, round, worker.size, "MPI_Reduce");
}

void scan(Worker& worker, int round) {
  MPI_Scan(worker.in.data(), worker.out.data(), static_cast<int>(worker.in.size()), MPI_INT, MPI_SUM,
           worker.comm);
  check(worker, round, worker.rank + 1, "MPI_Scan");
}

void bcast(Worker& worker, int round) {
  const int root = (round + 1) % worker.size;
  const int count = static_cast<int>(worker.in.size());
  if (worker.rank == root) {
    for (int i = 0; i < count; ++i)
      worker.out[static_cast<std::size_t>(i)] = sum_of(worker, round, worker.size, i);
  }
  MPI_Bcast(worker.out.data(), count, MPI_INT, root, worker.comm);
  check(worker, round, worker.size, "MPI_Bcast");
}

/// On a communicator that exists for one call: its id and lines are used again and again, by all threads.
void call_on_a_duplicate(Worker& worker, int round) {
  const MPI_Comm own = worker.comm;
  MPI_Comm_dup(own, &worker.comm);
  load(worker, round, kSizes[2]);
  reduce(worker, round);
  MPI_Comm_free(&worker.comm);
  worker.comm = own;
}

void work(Worker& worker, int rounds) {
  using Step = void (*)(Worker&, int);
  constexpr Step kSteps[] = {allreduce, reduce, bcast, scan, reduce};
  for (int round = 0; round < rounds; ++round) {
    const int step = (round + worker.thread) % 80;  // all pairs of a step and a size come by
    load(worker, round, kSizes[kSchedule[step % 16]]);
    kSteps[step % 5](worker, round);
    if (round % kFreedEvery == worker.thread) call_on_a_duplicate(worker, round);
  }
}

}  // namespace

int main(int argc, char** argv) {
  int provided = MPI_THREAD_SINGLE, rank = -1, size = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided != MPI_THREAD_MULTIPLE) return 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 1000;
  std::vector<Worker> workers;
  for (int thread = 0; thread < kThreads; ++thread) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    workers.push_back({comm, thread, rank, size, {}, {}});
  }
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    Worker& worker = workers[static_cast<std::size_t>((i + rank) % kThreads)];  // started in other orders
    threads.emplace_back([&worker, rounds] { work(worker, rounds); });
  }
  for (std::thread& thread : threads) thread.join();
  for (Worker& worker : workers) MPI_Comm_free(&worker.comm);
  MPI_Finalize();
  return 0;
}
