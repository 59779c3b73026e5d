// Blocks of more bytes than an int counts, in lists behind displacements that 32 bits do not hold, from
// private memory. Compared are some bytes of each block: at both ends, on both sides of where too few bits
// would stop, and in the middle; and what lies beside it. Arguments: which calls.
#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "support/aliased.hpp"
#include "support/expect.h"

namespace {

using foldlane::tests::Aliased;

constexpr std::size_t kGiB = std::size_t{1} << 30;
constexpr std::size_t kBytes = 2 * kGiB + 12'345;  // of a block
constexpr std::size_t kBehind = 4 * kGiB + 64;     // where one of a list begins
constexpr auto kCount = static_cast<MPI_Count>(kBytes);
constexpr auto kPlace = static_cast<MPI_Aint>(kBehind);
/// In memory of their own, wherever a block begins here.
constexpr std::size_t kSpots[] = {0, 1, kGiB, 2 * kGiB - 1, 2 * kGiB, kBytes - 1};

int rank = -1;
int size = 0;

std::uint8_t byte_of(int from, int to, std::size_t spot) {
  return static_cast<std::uint8_t>(static_cast<std::size_t>(1 + from * 64 + to * 16) + spot);
}
void write_block(Aliased& memory, std::size_t start, int from, int to) {
  for (std::size_t spot = 0; spot < std::size(kSpots); ++spot)
    memory.data()[start + kSpots[spot]] = byte_of(from, to, spot);
}
void expect_block(Aliased& memory, std::size_t start, int from, int to, const char* call) {
  for (std::size_t spot = 0; spot < std::size(kSpots); ++spot)
    if (memory.data()[start + kSpots[spot]] != byte_of(from, to, spot))
      give_up(std::string(call) + ": byte " + std::to_string(kSpots[spot]) + " of the block from rank " +
              std::to_string(from) + " differs");
}

/// Blocks one behind the other.
std::size_t start_of(int block) { return static_cast<std::size_t>(block) * kBytes; }

/// The one block of a list that has any bytes.
class Listed {
 public:
  Listed(int from, int to, bool is_used) : from_(from), to_(to), memory_(kBehind + kBytes + 1) {
    if (is_used) memory_.touch(kBehind, kBytes);
  }

  std::uint8_t* data() { return memory_.data(); }
  void write() { write_block(memory_, kBehind, from_, to_); }
  void expect_received(const char* call) {
    expect_block(memory_, kBehind, from_, to_, call);
    expect_that(data()[kBehind - 1] == 0 && data()[kBehind + kBytes] == 0,
                "nothing beside the block changes");
  }

 private:
  int from_, to_;
  Aliased memory_;
};

struct Lists {
  std::vector<MPI_Count> counts;
  std::vector<MPI_Aint> places;

  explicit Lists(int member) : counts(static_cast<std::size_t>(size)), places(counts.size()) {
    counts[static_cast<std::size_t>(member)] = kCount;
    places[static_cast<std::size_t>(member)] = kPlace;
  }
};

void alltoall() {
  Aliased send(start_of(size)), recv(start_of(size));
  for (int to = 0; to < size; ++to) write_block(send, start_of(to), rank, to);
  MPI_Alltoall_c(send.data(), kCount, MPI_BYTE, recv.data(), kCount, MPI_BYTE, MPI_COMM_WORLD);
  for (int from = 0; from < size; ++from) expect_block(recv, start_of(from), from, rank, "MPI_Alltoall_c");
}

/// The root has its own block.
void gather() {
  const int root = size - 1;
  Aliased memory(start_of(rank == root ? size : 1));
  const void* const send = rank == root ? MPI_IN_PLACE : memory.data();
  write_block(memory, rank == root ? start_of(root) : 0, rank, root);
  MPI_Gather_c(send, kCount, MPI_BYTE, memory.data(), kCount, MPI_BYTE, root, MPI_COMM_WORLD);
  if (rank != root) return;
  for (int from = 0; from < size; ++from) expect_block(memory, start_of(from), from, root, "MPI_Gather_c");
}

void allgatherv() {
  const int giver = size - 1;
  const Lists lists(giver);
  Listed block(giver, giver, true);
  if (rank == giver) block.write();
  MPI_Allgatherv_c(MPI_IN_PLACE, 0, MPI_BYTE, block.data(), lists.counts.data(), lists.places.data(),
                   MPI_BYTE, MPI_COMM_WORLD);
  block.expect_received("MPI_Allgatherv_c");
}

void scatterv() {
  const int taker = size - 1;
  const Lists lists(taker);
  Listed block(0, taker, rank == 0 || rank == taker);
  if (rank == 0) block.write();
  const MPI_Count count = rank == taker ? kCount : 0;
  MPI_Scatterv_c(block.data(), lists.counts.data(), lists.places.data(), MPI_BYTE, block.data() + kBehind,
                 count, MPI_BYTE, 0, MPI_COMM_WORLD);
  if (rank == taker) block.expect_received("MPI_Scatterv_c");
}

/// One edge, from the first rank to the last.
void neighbours() {
  const int taker = size - 1, giver = 0;
  const int sources = rank == taker ? 1 : 0, destinations = rank == giver ? 1 : 0;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, sources, &giver, MPI_UNWEIGHTED, destinations, &taker,
                                 MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
  const MPI_Datatype type = MPI_BYTE;
  Listed block(giver, taker, rank == giver || rank == taker);
  if (rank == giver) block.write();
  MPI_Neighbor_alltoallw_c(block.data(), &kCount, &kPlace, &type, block.data(), &kCount, &kPlace, &type,
                           comm);
  if (rank == taker) block.expect_received("MPI_Neighbor_alltoallw_c");
  MPI_Comm_free(&comm);
}

struct Call {
  const char* name;
  void (*make)();
};
constexpr Call kCalls[] = {{"alltoall", alltoall},
                           {"gather", gather},
                           {"allgatherv", allgatherv},
                           {"scatterv", scatterv},
                           {"neighbours", neighbours}};

void make(const std::string& name) {
  for (const Call& call : kCalls) {
    if (name != call.name) continue;
    const double start = MPI_Wtime();
    call.make();
    if (rank == 0) std::printf("%s: %.2f s\n", call.name, MPI_Wtime() - start);
    return;
  }
  give_up("there is no such call");
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 1; i < argc; ++i) make(argv[i]);
  MPI_Finalize();
  return 0;
}
