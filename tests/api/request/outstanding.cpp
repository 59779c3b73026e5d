// 1,000 operations under way at once on 20 communicators, started and completed by 4 threads of each rank, in
// another order on every rank.
#include <barrier>
#include <thread>

#include "support/checked.hpp"

using namespace foldlane::testing;

namespace {

constexpr std::size_t kThreads = 4, kComms = 20, kOperations = 1000, kRounds = 3;
constexpr std::size_t kLengths[] = {1, 1, 10, 100, 1, 2000, 1, 20'000};

struct Operation {
  std::vector<int> in, out;
  MPI_Request request = MPI_REQUEST_NULL;

  void start(std::size_t number, MPI_Comm comm) {
    in.assign(kLengths[number % std::size(kLengths)], my_rank() + static_cast<int>(number));
    out.assign(in.size(), -1);
    MPI_Iallreduce(in.data(), out.data(), static_cast<int>(in.size()), MPI_INT, MPI_SUM, comm, &request);
  }
  void check(std::size_t number) const {
    const int ranks = world_size(), sum = ranks * static_cast<int>(number) + ranks * (ranks - 1) / 2;
    for (const int each : out)
      if (each != sum) give_up("a wrong sum");
  }
};

/// The calls on one communicator come from one thread, in the same order everywhere.
void start_share(std::size_t thread, const std::vector<MPI_Comm>& comms, std::vector<Operation>& operations) {
  for (std::size_t i = 0; i < operations.size(); ++i)
    if (i % kComms % kThreads == thread) operations[i].start(i, comms[i % kComms]);
}

void complete_share(std::size_t thread, const std::vector<std::size_t>& order,
                    std::vector<Operation>& operations) {
  for (std::size_t i = thread; i < order.size(); i += kThreads) {
    MPI_Wait(&operations[order[i]].request, MPI_STATUS_IGNORE);
    operations[order[i]].check(order[i]);
  }
}

void run_round(const std::vector<MPI_Comm>& comms, unsigned seed) {
  std::vector<Operation> operations(kOperations);
  const std::vector<std::size_t> order = shuffled(kOperations, seed);
  std::barrier started(kThreads);
  std::vector<std::thread> threads;
  for (std::size_t thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      start_share(thread, comms, operations);
      started.arrive_and_wait();
      complete_share(thread, order, operations);
    });
  }
  for (std::thread& thread : threads) thread.join();
  compared_calls += static_cast<long>(kOperations);
}

}  // namespace

int main(int argc, char** argv) {
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided != MPI_THREAD_MULTIPLE) give_up("MPI_THREAD_MULTIPLE is missing");
  begin_case("1,000 operations under way", 280);
  std::vector<MPI_Comm> comms = duplicates(kComms);
  for (unsigned round = 0; round < kRounds; ++round)
    run_round(comms, 100 * round + static_cast<unsigned>(my_rank()));
  for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
  report_comparisons("1,000 operations at once");
  MPI_Finalize();
}
