// mpiexec --shared-heap: whatever gives memory after MPI_Init gives memory of the segment, so the calls of a
// program that knows nothing of it are direct; and it stays usable when MPI is over.
#include <mpi.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "support/direct_calls.hpp"

namespace {

using foldlane::tests::expect_direct;

constexpr std::size_t kCount = 20'000;
int ranks;

/// Sums of small whole numbers, which are exact.
void check(double* send, double* recv, std::size_t count, bool direct, const char* what) {
  for (std::size_t i = 0; i < count; ++i) send[i] = static_cast<double>(i % 1000);
  expect_direct(
      [&] { MPI_Allreduce(send, recv, static_cast<int>(count), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); },
      direct, what);
  for (std::size_t i = 0; i < count; ++i)
    expect_that(recv[i] == static_cast<double>(i % 1000) * ranks, "a wrong sum");
}

void check_kinds_of_memory() {
  constexpr std::size_t bytes = kCount * sizeof(double);
  std::vector<double> recv(kCount);
  const auto expect_freed = [&](void* memory, const char* what) {
    check(static_cast<double*>(memory), recv.data(), kCount, true, what);
    std::free(memory);
  };
  expect_freed(std::malloc(bytes), "malloc is not direct");
  expect_freed(std::calloc(kCount, sizeof(double)), "calloc is not direct");
  expect_freed(std::realloc(std::malloc(10), bytes), "realloc is not direct");
  expect_freed(std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096), "aligned_alloc is not direct");
  const auto array = std::make_unique<double[]>(kCount);
  check(array.get(), recv.data(), kCount, true, "new is not direct");
  static double outside[kCount];
  check(outside, recv.data(), kCount, false, "static memory is direct");
}

/// More than an arena's segment, and again when it has been freed.
void check_large() {
  constexpr std::size_t count = (100 << 20) / sizeof(double);
  for (int turn = 0; turn < 2; ++turn) {
    const auto send = std::make_unique<double[]>(count), recv = std::make_unique<double[]>(count);
    check(send.get(), recv.get(), count, true, "a large vector is not direct");
  }
}

/// calloc trusts fresh memory to be zero.
void check_zero() {
  constexpr std::size_t bytes = 40 << 20;
  for (int turn = 0; turn < 3; ++turn) {
    auto* const memory = static_cast<unsigned char*>(std::calloc(1, bytes));
    for (std::size_t i = 0; i < bytes; ++i)
      expect_that(memory[i] == 0, "calloc gave memory that is not zero");
    std::memset(memory, 1, bytes);
    std::free(memory);
  }
}

/// What an arena has not is private, as memory is without it.
void check_fallback() {
  constexpr std::size_t alignment = 64 << 20;
  auto* const aligned = static_cast<double*>(std::aligned_alloc(alignment, alignment));
  expect_that(aligned != nullptr, "an alignment of 64 MiB is refused");
  std::vector<double> recv(kCount);
  check(aligned, recv.data(), kCount, false, "an alignment of 64 MiB is direct");
  std::free(aligned);
}

void check_thread() {
  std::vector<double> send, recv;
  std::thread([&] {
    send.resize(kCount);
    recv.resize(kCount);
  }).join();
  check(send.data(), recv.data(), kCount, true, "memory of another thread is not direct");
}

std::vector<double>* left_over = nullptr;

/// When what the libraries have made is gone.
[[gnu::destructor]] void use_the_heap_at_the_very_end() {
  if (left_over == nullptr) return;
  for (double& value : *left_over) value += 1;
  left_over->resize(2 * left_over->size());
  if (left_over->front() != 42) _exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  left_over = new std::vector<double>(kCount, 41);
  check_kinds_of_memory();
  check_large();
  check_zero();
  check_thread();
  check_fallback();
  double* alloced = nullptr;
  MPI_Alloc_mem(kCount * sizeof(double), MPI_INFO_NULL, &alloced);
  std::vector<double> recv(kCount);
  check(alloced, recv.data(), kCount, true, "MPI_Alloc_mem beside malloc is not direct");
  MPI_Free_mem(alloced);
  MPI_Finalize();
  std::vector<double> after(1 << 20, 1);
  return after[5] == 1 && left_over->back() == 41 ? 0 : 1;
}
