// A task farm: rank 0 hands out tasks, and whoever is done gets the next one.
//
// A task is a range of numbers, in which the longest Collatz sequence is sought (halve if even, else 3n + 1,
// until 1). Nobody knows beforehand how long a task takes, so rank 0 receives from anybody, and the tag says
// whether a worker brings a result or only asks. Rank 0 then computes everything once more alone, and the
// results must be the same.
//
//   mpicxx -std=c++17 -O2 farm.cpp -o farm && mpiexec -n 4 ./farm [tasks] [numbers per task]
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

enum Tag { kAsks = 1, kResult, kTask, kNoMore };

struct Longest {
  long long number, length;
  bool operator==(const Longest& other) const { return number == other.number && length == other.length; }
};

long long length_from(long long number) {
  long long length = 1;
  for (; number != 1; ++length) number = number % 2 == 0 ? number / 2 : 3 * number + 1;
  return length;
}

Longest longest_of_task(long long task, long long numbers) {
  Longest found{0, 0};
  for (long long number = task * numbers + 1; number <= (task + 1) * numbers; ++number) {
    const long long length = length_from(number);
    if (length > found.length) found = {number, length};
  }
  return found;
}

// ---- The two sides ----

// What a worker sends: the task, and what it found.
constexpr int kResultParts = 3;

std::vector<Longest> hand_out(long long tasks, int workers) {
  std::vector<Longest> results(static_cast<std::size_t>(tasks), Longest{0, 0});
  std::vector<int> done(static_cast<std::size_t>(workers) + 1, 0);
  long long next = 0;
  for (int working = workers; working > 0;) {
    long long message[kResultParts];
    MPI_Status status;
    MPI_Recv(message, kResultParts, MPI_LONG_LONG, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    if (status.MPI_TAG == kResult) {
      results[static_cast<std::size_t>(message[0])] = {message[1], message[2]};
      ++done[static_cast<std::size_t>(status.MPI_SOURCE)];
    }
    if (next < tasks) {
      MPI_Send(&next, 1, MPI_LONG_LONG, status.MPI_SOURCE, kTask, MPI_COMM_WORLD);
      ++next;
    } else {
      MPI_Send(nullptr, 0, MPI_LONG_LONG, status.MPI_SOURCE, kNoMore, MPI_COMM_WORLD);
      --working;
    }
  }
  std::printf("tasks   done by each worker:");
  for (int worker = 1; worker <= workers; ++worker)
    std::printf(" %d", done[static_cast<std::size_t>(worker)]);
  std::printf("\n");
  return results;
}

void work(long long numbers) {
  MPI_Send(nullptr, 0, MPI_LONG_LONG, 0, kAsks, MPI_COMM_WORLD);
  while (true) {
    long long task = 0;
    MPI_Status status;
    MPI_Recv(&task, 1, MPI_LONG_LONG, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    if (status.MPI_TAG == kNoMore) return;
    const Longest found = longest_of_task(task, numbers);
    const long long message[kResultParts] = {task, found.number, found.length};
    MPI_Send(message, kResultParts, MPI_LONG_LONG, 0, kResult, MPI_COMM_WORLD);
  }
}

// ---- The job ----

std::vector<Longest> do_all(long long tasks, long long numbers) {
  std::vector<Longest> results;
  for (long long task = 0; task < tasks; ++task) results.push_back(longest_of_task(task, numbers));
  return results;
}

bool compare(const std::vector<Longest>& results, const std::vector<Longest>& serial) {
  Longest best{0, 0};
  for (const Longest& found : results)
    if (found.length > best.length) best = found;
  const bool same = results == serial;
  std::printf("result  longest sequence: from %lld, %lld numbers\n", best.number, best.length);
  std::printf("check   %-4s every task's result is as in the serial run\n", same ? "ok" : "FAIL");
  return same;
}

bool run(long long tasks, long long numbers) {
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (tasks < 1 || numbers < 1) {
    if (rank == 0) std::fprintf(stderr, "usage: farm [tasks] [numbers per task], from 1 each\n");
    return false;
  }
  int ok = 1;
  if (rank == 0) {
    std::printf("farm    %lld tasks of %lld numbers for %d workers\n", tasks, numbers, ranks - 1);
    const std::vector<Longest> serial = do_all(tasks, numbers);
    ok = compare(ranks > 1 ? hand_out(tasks, ranks - 1) : serial, serial);
  } else {
    work(numbers);
  }
  MPI_Bcast(&ok, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return ok != 0;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const bool ok = run(argc > 1 ? std::atoll(argv[1]) : 500, argc > 2 ? std::atoll(argv[2]) : 2000);
  MPI_Finalize();
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
