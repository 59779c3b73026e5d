// More elements than an int counts, more bytes than 32 bits: exact. Buffers are aliased: each mapping of the
// small file holds the same values, and as every element depends on its place in its mapping only, so does
// the result. Mappings of their own have values of their own. Argument: GiB of the buffers.
#include <mpi.h>

#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "support/aliased.hpp"
#include "support/expect.h"

namespace {

using foldlane::tests::Aliased;
using foldlane::tests::kMapping;

constexpr std::size_t kTypeElements = 1 << 20;

int rank = -1;
int size = 0;

std::uint8_t byte_of(int of_rank, std::size_t i, std::size_t salt) {
  const std::size_t place = i % kMapping + salt;
  return static_cast<std::uint8_t>((place * 2654435761U >> 13) + static_cast<std::size_t>(of_rank) * 91);
}

std::uint8_t sum_of_bytes(std::size_t i, std::size_t salt) {
  unsigned sum = 0;
  for (int r = 0; r < size; ++r) sum += byte_of(r, i, salt);
  return static_cast<std::uint8_t>(sum);
}

/// Every byte of the memory.
template <class Expected>
void check(Aliased& result, const char* what, const Expected& expected) {
  const std::uint8_t* const data = result.data();
  result.for_each([&](std::size_t i, std::size_t salt) {
    if (data[i] != expected(i, salt))
      give_up(std::string(what) + ": element " + std::to_string(i) + " is wrong");
  });
}

void fill(Aliased& input) {
  input.for_each([&](std::size_t i, std::size_t salt) { input.data()[i] = byte_of(rank, i, salt); });
}

void test_wide(std::size_t count) {
  Aliased in(count), out(count);
  fill(in);
  const double start = MPI_Wtime();
  if (MPI_Allreduce_c(in.data(), out.data(), static_cast<MPI_Count>(count), MPI_UINT8_T, MPI_SUM,
                      MPI_COMM_WORLD) != MPI_SUCCESS)
    give_up("MPI_Allreduce_c failed");
  const double seconds = MPI_Wtime() - start;
  check(out, "MPI_Allreduce_c", sum_of_bytes);
  if (rank == 0) std::printf("MPI_Allreduce_c of %zu elements: %.2f s\n", count, seconds);
}

std::size_t folded_bytes = 0;

void add_blocks(void* in, void* inout, int* count, MPI_Datatype* type) {
  MPI_Count bytes = 0;
  MPI_Type_size_c(*type, &bytes);
  const std::size_t total = static_cast<std::size_t>(*count) * static_cast<std::size_t>(bytes);
  const auto* left = static_cast<const std::uint8_t*>(in);
  auto* right = static_cast<std::uint8_t*>(inout);
  for (std::size_t i = 0; i < total; ++i) right[i] = static_cast<std::uint8_t>(right[i] + left[i]);
  folded_bytes += total;
}

/// An int counts the elements, which are blocks; the bytes are too many for it.
void test_derived(std::size_t blocks, int elements) {
  const std::size_t bytes = blocks * static_cast<std::size_t>(elements);
  Aliased in(bytes), out(bytes);
  fill(in);
  MPI_Datatype block = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(elements, MPI_UINT8_T, &block);
  MPI_Type_commit(&block);
  MPI_Op op = MPI_OP_NULL;
  MPI_Op_create(add_blocks, 1, &op);
  const double start = MPI_Wtime();
  if (MPI_Allreduce(in.data(), out.data(), static_cast<int>(blocks), block, op, MPI_COMM_WORLD) !=
      MPI_SUCCESS)
    give_up("MPI_Allreduce failed");
  const double seconds = MPI_Wtime() - start;
  check(out, "MPI_Allreduce of blocks", sum_of_bytes);
  if (size > 1 && folded_bytes == 0) give_up("the operation was not called");
  if (rank == 0) std::printf("MPI_Allreduce of %zu blocks of %d bytes: %.2f s\n", blocks, elements, seconds);
  MPI_Op_free(&op);
  MPI_Type_free(&block);
}

void expect_counts(const MPI_Status& status, MPI_Datatype type, std::size_t count, std::size_t elements) {
  int few = 0;
  MPI_Count got = -1, got_elements = -1;
  MPI_Get_count_c(&status, type, &got);
  MPI_Get_elements_c(&status, type, &got_elements);
  expect(got == static_cast<MPI_Count>(count) && got_elements == static_cast<MPI_Count>(elements));
  MPI_Get_elements(&status, type, &few);
  expect(few == MPI_UNDEFINED);
  MPI_Get_count(&status, type, &few);
  expect(few == (count > std::size_t{INT_MAX} ? MPI_UNDEFINED : static_cast<int>(count)));
}

/// One message from rank 0 to the last one, of bytes there and of blocks here: an int counts the blocks.
void test_message(std::size_t blocks) {
  const std::size_t bytes = blocks * kTypeElements;
  Aliased data(bytes);
  MPI_Datatype block = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(kTypeElements, MPI_UINT8_T, &block);
  MPI_Type_commit(&block);
  if (rank == 0) {
    fill(data);
    expect(MPI_Send_c(data.data(), static_cast<MPI_Count>(bytes), MPI_UINT8_T, size - 1, 7, MPI_COMM_WORLD) ==
           MPI_SUCCESS);
  } else if (rank == size - 1) {
    MPI_Status status{};
    const double start = MPI_Wtime();
    expect(MPI_Recv(data.data(), static_cast<int>(blocks), block, 0, 7, MPI_COMM_WORLD, &status) ==
           MPI_SUCCESS);
    std::printf("MPI_Recv of %zu bytes: %.2f s\n", bytes, MPI_Wtime() - start);
    expect_counts(status, MPI_UINT8_T, bytes, bytes);
    expect_counts(status, block, blocks, bytes);
    check(data, "MPI_Recv", [](std::size_t i, std::size_t salt) { return byte_of(0, i, salt); });
  }
  MPI_Type_free(&block);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const std::size_t bytes = (argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 2) << 30;
  test_wide(bytes + 12'345);
  test_derived(bytes / kTypeElements + 3, kTypeElements);  // an element larger than a slot
  test_derived(bytes / 1000 + 7, 1000);
  test_message(bytes / kTypeElements + 3);
  MPI_Finalize();
  return 0;
}
