// More elements than an int counts, more bytes than 32 bits: exact. The buffers are one small file mapped
// many times in a row, so that gigabytes need megabytes: each mapping holds the same values, and as every
// element depends on its place in its mapping only, so does the result. But at the places where a count of
// too few bits would stop or begin again, and at the end, mappings have memory and values of their own.
// Argument: GiB of the buffers.
#include <mpi.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "support/expect.h"

namespace {

constexpr std::size_t kMapping = std::size_t{1} << 23;
constexpr std::size_t kTypeElements = 1 << 20;

int rank = -1;
int size = 0;

bool is_own(std::size_t mapping, std::size_t mappings) {
  const std::size_t gib = (std::size_t{1} << 30) / kMapping;
  return mapping % gib == 0 || mapping % gib == gib - 1 || mapping + 1 == mappings;
}

/// A small memory, many times in a row.
class Aliased {
 public:
  explicit Aliased(std::size_t bytes) : bytes_(bytes) {
    const int fd = memfd_create("aliased", MFD_CLOEXEC);
    if (fd < 0 || ftruncate(fd, kMapping) != 0) give_up("no memfd");
    constexpr int kProtection = PROT_READ | PROT_WRITE;
    void* const space = mmap(nullptr, bytes, kProtection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (space == MAP_FAILED) give_up("no address space");
    data_ = static_cast<std::uint8_t*>(space);
    for (std::size_t at = 0; at < bytes; at += kMapping) {
      if (is_own(at / kMapping, mappings())) continue;
      if (mmap(data_ + at, kMapping, kProtection, MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED)
        give_up("no mapping");
    }
    close(fd);
  }
  ~Aliased() { munmap(data_, bytes_); }

  std::uint8_t* data() { return data_; }

  /// Calls body(index, salt) for a byte of all memory there is; the salt tells memories apart.
  template <class Body>
  void for_each(const Body& body) const {
    bool aliased_done = false;
    for (std::size_t mapping = 0; mapping < mappings(); ++mapping) {
      const bool own = is_own(mapping, mappings());
      if (!own && aliased_done) continue;
      if (!own) aliased_done = true;
      const std::size_t start = mapping * kMapping;
      const std::size_t end = bytes_ - start < kMapping ? bytes_ : start + kMapping;
      for (std::size_t i = start; i < end; ++i) body(i, own ? mapping * 37 + 1 : 0);
    }
  }

 private:
  std::size_t mappings() const { return (bytes_ + kMapping - 1) / kMapping; }

  std::size_t bytes_;
  std::uint8_t* data_;
};

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
void check(Aliased& result, const char* what) {
  const std::uint8_t* const data = result.data();
  result.for_each([&](std::size_t i, std::size_t salt) {
    if (data[i] != sum_of_bytes(i, salt))
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
  check(out, "MPI_Allreduce_c");
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
  check(out, "MPI_Allreduce of blocks");
  if (size > 1 && folded_bytes == 0) give_up("the operation was not called");
  if (rank == 0) std::printf("MPI_Allreduce of %zu blocks of %d bytes: %.2f s\n", blocks, elements, seconds);
  MPI_Op_free(&op);
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
  MPI_Finalize();
  return 0;
}
