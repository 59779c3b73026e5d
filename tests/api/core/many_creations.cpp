// More threads create communicators of groups at a time than a rank has postings to meet others by.
#include <thread>

#include "support/checked.hpp"

using namespace foldlane::testing;

namespace {

constexpr int kThreads = 50;

/// Created and used kRounds times by a thread of each rank.
void create(MPI_Group group, int tag) {
  constexpr int kRounds = 20;
  for (int round = 0; round < kRounds; ++round) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_create_group(MPI_COMM_WORLD, group, tag, &comm);
    int sum = 0;
    MPI_Allreduce(&tag, &sum, 1, MPI_INT, MPI_SUM, comm);
    if (sum != tag * world_size()) give_up("a communicator of another thread");
    MPI_Comm_free(&comm);
  }
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  begin_case("many threads create communicators");
  MPI_Group group;
  MPI_Comm_group(MPI_COMM_WORLD, &group);
  {
    std::vector<std::jthread> threads;
    for (int tag = 0; tag < kThreads; ++tag) threads.emplace_back([=] { create(group, tag); });
  }
  MPI_Group_free(&group);
  MPI_Finalize();
  return 0;
}
