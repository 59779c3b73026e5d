// Gather, scatter, allgather, alltoall and alltoallv of long blocks, from private memory or, if the command
// line says so, out of heaps of the segment: every byte comes, none beside it changes, and it is timed how
// blocks go that two ranks exchange, and those of lists, unless the command line says that this is forced.
#include <mpi.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "support/can_pull.hpp"
#include "support/counters.hpp"
#include "support/direct_calls.hpp"
#include "support/expect.h"

namespace {

using foldlane::tests::can_pull;
using foldlane::tests::counted;

/// Whether memory is to lie in the heaps of the segment. Under --shared-heap what the program allocates by
/// itself may come from pages that were there before MPI.
bool is_in_heaps;

template <class T>
struct Allocator {
  using value_type = T;
  T* allocate(std::size_t count) {
    if (!is_in_heaps) return std::allocator<T>().allocate(count);
    T* memory = nullptr;
    MPI_Alloc_mem(static_cast<MPI_Aint>(count * sizeof(T)), MPI_INFO_NULL, &memory);
    return memory;
  }
  void deallocate(T* memory, std::size_t count) {
    if (!is_in_heaps) return std::allocator<T>().deallocate(memory, count);
    MPI_Free_mem(memory);
  }
  bool operator==(const Allocator&) const = default;
};
using Bytes = std::vector<char, Allocator<char>>;

// On both sides of where chunks and exchanges begin, and of where two copies cost more than one.
constexpr int kSizes[] = {16384, 16385, 32768, 32769, 65536, 131072, 131073, 262144 + 64, 600'000};
// A slot holds a block for each of so many; of more, what goes in chunks of each is enough.
constexpr int kMostForAll = 16, kMostOfMany = 32768;
constexpr int kNoCache = 3'000'001;  // of three ranks all blocks take 36 MB
constexpr int kGuard = 64;
constexpr int kMostInBoxes = 32768;  // of two ranks; what is longer goes straight between heaps

struct World {
  int rank = 0;
  int ranks = 0;

  /// Makes the call, which is direct or not. Of more ranks that is not looked at.
  template <class Call>
  void make(const Call& call, bool is_long, const char* what) const {
    if (ranks == 2) {
      foldlane::tests::expect_direct(call, is_in_heaps && is_long, what);
    } else {
      call();
    }
  }
};

/// Of the block that `from` gives `to`; all get the same one of an allgather.
char byte_of(int seed, int from, int to, int i) {
  return static_cast<char>(seed * 31 + from * 7 + to * 3 + i % 251);
}

Bytes given(int seed, int from, int first, int blocks, int bytes) {
  Bytes all(static_cast<std::size_t>(blocks) * static_cast<std::size_t>(bytes));
  for (std::size_t at = 0; at < all.size(); ++at)
    all[at] = byte_of(seed, from, first + static_cast<int>(at) / bytes, static_cast<int>(at) % bytes);
  return all;
}
Bytes place_for(int blocks, int bytes) {
  return Bytes(static_cast<std::size_t>(blocks) * static_cast<std::size_t>(bytes) + kGuard, 'g');
}
/// Blocks for `to`, of everybody from `first` on.
void expect_received(const Bytes& place, int seed, int first, int to, int bytes, const char* call) {
  const std::size_t end = place.size() - kGuard;
  bool is_right = true;
  for (std::size_t at = 0; at < place.size(); ++at) {
    const int i = static_cast<int>(at) % bytes, from = first + static_cast<int>(at) / bytes;
    is_right = is_right && place[at] == (at < end ? byte_of(seed, from, to, i) : 'g');
  }
  expect_that(is_right, call);
}

void gather(const World& world, int root, int bytes, int seed) {
  const Bytes send = given(seed, world.rank, 0, 1, bytes);
  Bytes recv = place_for(world.rank == root ? world.ranks : 0, bytes);
  const auto call = [&] {
    MPI_Gather(send.data(), bytes, MPI_CHAR, recv.data(), bytes, MPI_CHAR, root, MPI_COMM_WORLD);
  };
  world.make(call, bytes > kMostInBoxes, "the way of MPI_Gather");
  expect_received(recv, seed, 0, 0, bytes, "MPI_Gather");
}

void scatter(const World& world, int root, int bytes, int seed) {
  const Bytes send = given(seed, world.rank, 0, world.rank == root ? world.ranks : 0, bytes);
  Bytes recv = place_for(1, bytes);
  const auto call = [&] {
    MPI_Scatter(send.data(), bytes, MPI_CHAR, recv.data(), bytes, MPI_CHAR, root, MPI_COMM_WORLD);
  };
  world.make(call, bytes > kMostInBoxes, "the way of MPI_Scatter");
  expect_received(recv, seed, root, world.rank, bytes, "MPI_Scatter");
}

void allgather(const World& world, int bytes, int seed) {
  const Bytes send = given(seed, world.rank, 0, 1, bytes);
  Bytes recv = place_for(world.ranks, bytes);
  const auto call = [&] {
    MPI_Allgather(send.data(), bytes, MPI_CHAR, recv.data(), bytes, MPI_CHAR, MPI_COMM_WORLD);
  };
  world.make(call, bytes > kMostInBoxes, "the way of MPI_Allgather");
  expect_received(recv, seed, 0, 0, bytes, "MPI_Allgather");
}

void alltoall(const World& world, int bytes, int seed) {
  const Bytes send = given(seed, world.rank, 0, world.ranks, bytes);
  Bytes recv = place_for(world.ranks, bytes);
  const auto call = [&] {
    MPI_Alltoall(send.data(), bytes, MPI_CHAR, recv.data(), bytes, MPI_CHAR, MPI_COMM_WORLD);
  };
  world.make(call, bytes > kMostInBoxes, "the way of MPI_Alltoall");
  expect_received(recv, seed, 0, world.rank, bytes, "MPI_Alltoall");
  Bytes place = given(seed, world.rank, 0, world.ranks, bytes);
  place.resize(place.size() + kGuard, 'g');
  const auto in_place = [&] {
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_CHAR, place.data(), bytes, MPI_CHAR, MPI_COMM_WORLD);
  };
  world.make(in_place, false, "the way of MPI_Alltoall in place");
  expect_received(place, seed, 0, world.rank, bytes, "MPI_Alltoall in place");
}

/// Of unequal lengths, some on the other side of a limit.
void alltoallv(const World& world, int bytes, int seed) {
  const auto length = [&](int from, int to) { return bytes + (from + 2 * to) % 3 * 100; };
  std::vector<int> send_counts, recv_counts, send_places, recv_places;
  Bytes send;
  int end = 0;
  for (int other = 0; other < world.ranks; ++other) {
    send_places.push_back(static_cast<int>(send.size()));
    send_counts.push_back(length(world.rank, other));
    for (int i = 0; i < send_counts.back(); ++i) send.push_back(byte_of(seed, world.rank, other, i));
    recv_places.push_back(end);
    recv_counts.push_back(length(other, world.rank));
    end += recv_counts.back() + kGuard;
  }
  Bytes recv(static_cast<std::size_t>(end), 'g');
  const auto call = [&] {
    MPI_Alltoallv(send.data(), send_counts.data(), send_places.data(), MPI_CHAR, recv.data(),
                  recv_counts.data(), recv_places.data(), MPI_CHAR, MPI_COMM_WORLD);
  };
  world.make(call, length(0, 1) > kMostInBoxes && length(1, 0) > kMostInBoxes, "the way of MPI_Alltoallv");
  Bytes expected(recv.size(), 'g');
  for (int from = 0; from < world.ranks; ++from) {
    const auto at = static_cast<std::size_t>(from);
    for (int i = 0; i < recv_counts[at]; ++i)
      expected[static_cast<std::size_t>(recv_places[at] + i)] = byte_of(seed, from, world.rank, i);
  }
  expect_that(recv == expected, "MPI_Alltoallv");
}

}  // namespace

int main(int argc, char** argv) {
  World world;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world.ranks);
  is_in_heaps = argc > 1 && std::string(argv[1]) == "heaps";
  const bool may_pull = can_pull(world.rank, world.ranks);
  constexpr int kRounds = 8;  // some trials
  for (int round = 0; round < kRounds; ++round)
    for (const int bytes : kSizes) {
      if (world.ranks > kMostForAll && bytes > kMostOfMany) break;
      gather(world, round % world.ranks, bytes, round);
      scatter(world, round % world.ranks, bytes, round + 1);
      allgather(world, bytes, round + 2);
      alltoall(world, bytes, round + 3);
      alltoallv(world, bytes, round + 4);
    }
  if (world.ranks <= kMostForAll) allgather(world, kNoCache, 0);
  const bool is_timed = argc == 1 && world.ranks == 2 && world.rank == 0 && may_pull;
  const unsigned long trials =
      counted("foldlane_kept_exchange_way_boxes") + counted("foldlane_kept_exchange_way_pull");
  expect_that((trials > 0) == is_timed, "it is timed how blocks are exchanged");
  const unsigned long list_trials =
      counted("foldlane_kept_block_way_slots") + counted("foldlane_kept_block_way_pull");
  expect_that((list_trials > 0) == (argc == 1 && world.ranks > 2 && may_pull),
              "it is timed how the others get long blocks of lists");
  MPI_Finalize();
  return 0;
}
