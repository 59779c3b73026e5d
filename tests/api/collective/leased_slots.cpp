// A communicator whose calls use slots of their own while something is under way, and the process's first
// ones otherwise, where another communicator's readers may still be: nobody loses what it has not read yet.
#include "support/checked.hpp"

using namespace foldlane::testing;

namespace {

constexpr int kCount = 512;  // 4 KiB: one slot
constexpr int kSlotsTwice = 8;

void be_late() {
  if (my_rank() != 0) usleep(100'000);
}

struct Message {
  std::vector<double> data = std::vector<double>(kCount, -1);

  explicit Message(int number) {
    if (my_rank() == 0) data.assign(data.size(), number);
  }
  void check(int number) const {
    for (const double value : data) check_that(value == number, "a broadcast of another number");
  }
};

void broadcast(MPI_Comm comm, int number) {
  Message message(number);
  MPI_Bcast(message.data.data(), kCount, MPI_DOUBLE, 0, comm);
  message.check(number);
}

void broadcast_under_way(MPI_Comm comm, int number) {
  Message message(number);
  MPI_Request request;
  MPI_Ibcast(message.data.data(), kCount, MPI_DOUBLE, 0, comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  message.check(number);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const std::vector<MPI_Comm> comms = duplicates(2);
  for (int round = 0; round < 3; ++round) {
    begin_case("slots that another communicator's readers are at");
    for (int i = 0; i < kSlotsTwice; ++i) {
      if (i == kSlotsTwice / 2) be_late();
      broadcast(comms[0], i);
    }
    be_late();
    broadcast_under_way(comms[1], 100);
    for (int i = 0; i < kSlotsTwice; ++i) broadcast(comms[1], 101 + i);
  }
  for (MPI_Comm comm : comms) MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
