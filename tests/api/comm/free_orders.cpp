// MPI_Comm_free waits for nobody: whatever the order in which ranks free communicators, and whatever is under
// way on them. Argument: how many communicators exist at once.
#include "support/checked.hpp"

using namespace foldlane::testing;

namespace {

unsigned own_seed(unsigned round) { return round * 1000 + static_cast<unsigned>(my_rank()); }

void use(MPI_Comm comm) {
  const int one = 1;
  int sum = 0;
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
  check_that(sum == world_size(), "a sum on a new communicator");
}

void check_opposite_orders() {
  begin_case("two communicators freed in opposite orders");
  for (int round = 0; round < 100; ++round) {
    std::vector<MPI_Comm> comms = duplicates(2);
    use(comms[0]);
    const std::size_t first = my_rank() % 2 == 0 ? 0 : 1;
    MPI_Comm_free(&comms[first]);
    MPI_Comm_free(&comms[1 - first]);
    check_that(comms[0] == MPI_COMM_NULL && comms[1] == MPI_COMM_NULL,
               "a freed communicator has its handle yet");
  }
}

/// Rank 0 has freed it before the others even know that.
void check_others_are_busy() {
  begin_case("a communicator freed while others compute");
  for (int round = 0; round < 100; ++round) {
    MPI_Comm comm = duplicate(MPI_COMM_WORLD);
    if (my_rank() == 0) MPI_Comm_free(&comm);
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank() != 0) MPI_Comm_free(&comm);
  }
}

void check_under_way() {
  begin_case("communicators freed with calls under way");
  constexpr std::size_t kCalls = 10;
  for (unsigned round = 0; round < 20; ++round) {
    const int mine = my_rank() + 1;
    std::vector<int> sums(2 * kCalls, -1);
    std::vector<MPI_Comm> comms = duplicates(2);
    std::vector<MPI_Request> requests(2 * kCalls);
    for (std::size_t i = 0; i < requests.size(); ++i)
      MPI_Iallreduce(&mine, &sums[i], 1, MPI_INT, MPI_SUM, comms[i % 2], &requests[i]);
    for (const std::size_t i : shuffled(2, own_seed(round))) MPI_Comm_free(&comms[i]);
    for (const std::size_t i : shuffled(requests.size(), own_seed(round)))
      MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    for (const int sum : sums)
      check_that(sum == world_size() * (world_size() + 1) / 2, "a sum on a freed communicator");
  }
}

/// Twice, so that ids and lines come back.
void check_many(int count) {
  begin_case("many communicators freed in random orders", 280);
  for (unsigned round = 0; round < 2; ++round) {
    std::vector<MPI_Comm> comms = duplicates(count);
    use(comms.front());
    use(comms.back());
    for (const std::size_t i : shuffled(comms.size(), own_seed(round))) MPI_Comm_free(&comms[i]);
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc != 2) give_up("usage: free_orders COMMUNICATORS");
  check_opposite_orders();
  check_others_are_busy();
  check_under_way();
  check_many(std::atoi(argv[1]));
  report_comparisons("communicators freed in any order");
  MPI_Finalize();
}
