// MPI_Bcast from every root at many sizes, and MPI_Barrier, which nobody leaves before all have come.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/oracle.hpp"

using namespace foldlane::testing;

namespace {

constexpr int kCounts[] = {0, 1, 3, 7, 8, 9, 63, 64, 65, 500, 1024, 4097, 32768, 100'003, 1'000'003};

void check_bcast(int count, int root, MPI_Datatype datatype, std::size_t element_bytes) {
  const std::size_t bytes = static_cast<std::size_t>(count) * element_bytes;
  std::vector<unsigned char> expected(bytes), buffer(bytes + 1, 0xee);
  for (std::size_t i = 0; i < bytes; ++i) {
    expected[i] = static_cast<unsigned char>(scramble(static_cast<std::uint64_t>(root), i));
  }
  if (my_rank() == root && bytes != 0) std::memcpy(buffer.data(), expected.data(), bytes);
  MPI_Bcast(buffer.data(), count, datatype, root, MPI_COMM_WORLD);
  if (bytes != 0 && std::memcmp(buffer.data(), expected.data(), bytes) != 0) {
    give_up("MPI_Bcast of " + std::to_string(bytes) + " bytes from " + std::to_string(root) + " differs");
  }
  if (buffer[bytes] != 0xee) give_up("MPI_Bcast wrote behind the buffer");
}

// Every rank appends a byte to a file, so that after the barrier the file has one of each.
void check_barrier(const std::string& file_name) {
  constexpr int kRounds = 200;
  const std::string path_of_job = file_name + "." + std::to_string(world_size());
  const char* const path = path_of_job.c_str();
  if (my_rank() == 0) unlink(path);
  MPI_Barrier(MPI_COMM_WORLD);
  const int file = open(path, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0) give_up(std::string("cannot open ") + path);
  for (int round = 1; round <= kRounds; ++round) {
    if (write(file, "x", 1) != 1) give_up(std::string("cannot write ") + path);
    MPI_Barrier(MPI_COMM_WORLD);
    struct stat status {};
    if (fstat(file, &status) != 0 || status.st_size < static_cast<off_t>(round) * world_size()) {
      give_up("left MPI_Barrier before all ranks had come");
    }
  }
  close(file);
  MPI_Barrier(MPI_COMM_WORLD);
  if (my_rank() == 0) unlink(path);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc != 2) give_up("usage: bcast_barrier FILE");
  for (int count : kCounts) {
    for (int root = 0; root < world_size(); ++root) {
      check_bcast(count, root, MPI_BYTE, 1);
      check_bcast(count, root, MPI_DOUBLE, sizeof(double));
    }
  }
  check_barrier(argv[1]);
  MPI_Finalize();
}
