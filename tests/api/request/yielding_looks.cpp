// Two ranks on one CPU that look for each other's messages in loops: a look that finds nothing gives the CPU
// to the other rank, which alone can make the next one find something. So few looks are in vain: without, a
// whole time slice of them would be, which are thousands.
#include <algorithm>
#include <vector>

#include "support/checked.hpp"

using namespace foldlane::testing;

namespace {

constexpr int kRounds = 201, kMostLooks = 100;

int other() { return 1 - my_rank(); }

void send(int number) { MPI_Send(&number, 1, MPI_INT, other(), 0, MPI_COMM_WORLD); }

/// Receives the number, and returns how many looks it took.
int looks_by_iprobe(int& number) {
  int looks = 0;
  for (int flag = 0; flag == 0; ++looks) MPI_Iprobe(other(), 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  MPI_Recv(&number, 1, MPI_INT, other(), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return looks;
}

int looks_by_test(int& number) {
  MPI_Request receive;
  MPI_Irecv(&number, 1, MPI_INT, other(), 0, MPI_COMM_WORLD, &receive);
  int looks = 0;
  for (int flag = 0; flag == 0; ++looks) MPI_Test(&receive, &flag, MPI_STATUS_IGNORE);
  return looks;
}

/// A number goes to and fro. The median, because other programs may have the other rank's turn.
void check(const char* what, int (*look)(int& number)) {
  begin_case(what);
  std::vector<int> looks;
  MPI_Barrier(MPI_COMM_WORLD);
  for (int round = 0; round < kRounds; ++round) {
    int number = -1;
    if (my_rank() == 0) send(round);
    looks.push_back(look(number));
    check_that(number == round, "the number of the round");
    if (my_rank() == 1) send(round);
  }
  std::nth_element(looks.begin(), looks.begin() + kRounds / 2, looks.end());
  std::printf("%s: a median of %d looks\n", what, looks[kRounds / 2]);
  check_that(looks[kRounds / 2] <= kMostLooks, what);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  check("MPI_Iprobe", looks_by_iprobe);
  check("MPI_Test", looks_by_test);
  report_comparisons("looks");
  MPI_Finalize();
}
