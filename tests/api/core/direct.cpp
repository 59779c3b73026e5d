// Buffers from MPI_Alloc_mem: the counter of direct calls tells that large collectives go straight between
// them, in place and from any place inside them, and that a private buffer of one rank stops that. A
// broadcast of two is a message. Values are the business of tests/engine/team/direct_test.cpp; here sums show
// that the arguments arrive.
#include <mpi.h>

#include <vector>

#include "support/direct_calls.hpp"

namespace {

constexpr int kCount = 140'000;
int rank, ranks;
using foldlane::tests::counted;
using foldlane::tests::expect_direct;

double* allocate(int count, double value) {
  double* buffer = nullptr;
  MPI_Alloc_mem(static_cast<MPI_Aint>(count) * MPI_Aint{sizeof(double)}, MPI_INFO_NULL, &buffer);
  for (int i = 0; i < count; ++i) buffer[i] = value;
  return buffer;
}

void check_allreduce() {
  double* const send = allocate(kCount + 5, rank + 1);
  double* const recv = allocate(kCount, 0);
  std::vector<double> own(kCount, rank + 1);
  const double sum = ranks * (ranks + 1) / 2;
  const auto fold = [](const void* from, double* to) {
    MPI_Allreduce(from, to, kCount, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  };
  expect_direct([&] { fold(send, recv); }, true, "allreduce is not direct");
  expect_that(recv[kCount - 1] == sum, "a wrong sum");
  expect_direct([&] { fold(send + 5, recv); }, true, "allreduce of a part is not direct");
  expect_direct([&] { fold(MPI_IN_PLACE, send + 5); }, true, "allreduce in place is not direct");
  expect_that(send[4] == rank + 1 && send[5] == sum, "a wrong sum in place");
  expect_direct([&] { fold(rank == 0 ? own.data() : send, recv); }, false, "private input");
  expect_direct([&] { fold(send, rank == 1 ? own.data() : recv); }, false, "private result");
  expect_direct([&] { MPI_Allreduce(send, recv, 100, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); }, false, "small");
  MPI_Free_mem(send);
  MPI_Free_mem(recv);
}

unsigned long straight_messages() {
  return counted("foldlane_messages_direct") + counted("foldlane_messages_straight");
}

unsigned long messages_from_private_memory() {
  return counted("foldlane_messages_boxes") + counted("foldlane_messages_pulled");
}

void check_others() {
  double* const send = allocate(kCount * ranks, 2);
  double* const recv = allocate(kCount * ranks, 0);
  std::vector<double> own(static_cast<std::size_t>(kCount * ranks));
  const int root = ranks - 1;
  expect_direct(
      [&] {
        MPI_Reduce(send, rank == root ? recv : nullptr, kCount, MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD);
      },
      true, "reduce is not direct");
  expect_that(rank != root || recv[0] == 2 * ranks, "a wrong sum of reduce");
  expect_direct(
      [&] { MPI_Reduce_scatter_block(send, own.data(), kCount, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); }, true,
      "reduce_scatter_block is not direct");
  expect_that(own[kCount - 1] == 2 * ranks, "a wrong sum of reduce_scatter_block");
  for (int i = 0; i < kCount; ++i) send[i] = rank == root ? 5 : 0;
  const unsigned long messages = straight_messages();
  expect_direct([&] { MPI_Bcast(send, kCount, MPI_DOUBLE, root, MPI_COMM_WORLD); }, ranks > 2,
                "bcast of more than two is direct");
  expect_that(straight_messages() - messages == (ranks == 2 && rank == root ? 1 : 0),
              "bcast of two is a message straight from buffer to buffer");
  expect_that(send[kCount - 1] == 5, "a wrong bcast");
  const unsigned long private_messages = messages_from_private_memory();
  MPI_Bcast(own.data(), kCount, MPI_DOUBLE, root, MPI_COMM_WORLD);
  expect_that(messages_from_private_memory() - private_messages == (ranks == 2 && rank == root ? 1 : 0),
              "bcast of two is a message from private memory, too");
  MPI_Free_mem(send);
  MPI_Free_mem(recv);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int round = 0; round < 3; ++round) {
    check_allreduce();
    check_others();
  }
  MPI_Finalize();
  return 0;
}
