// What one of two ranks passes the other in rooted calls and exscans of more than 8 KiB, and both in
// exchanges of more than 16, through boxes or pulled out of its memory: every byte comes although its giver
// writes to its buffer again as soon as it may, and it is timed which way they go, unless the command line
// says which one is forced.
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "support/can_pull.hpp"
#include "support/counters.hpp"
#include "support/expect.h"

namespace {

using foldlane::tests::can_pull;
using foldlane::tests::counted;
using Numbers = std::vector<long>;

// On both sides of where choosing begins and of where blocks become messages; and more than a box or a pull.
constexpr int kCounts[] = {1024, 1025, 2048, 4096, 4097, 8192, 16384, 16385, 65'537, 100'000, 131'072};
constexpr long kOverwritten = -1;
int rank;

long number_of(int seed, int from, std::size_t i) {
  return seed * 1'000'003L + from * 7L + static_cast<long>(i);
}
Numbers given(int seed, int from, int count) {
  Numbers numbers(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = number_of(seed, from, i);
  return numbers;
}
void overwrite(Numbers& numbers) { numbers.assign(numbers.size(), kOverwritten); }
/// `stride`: of a vector type at the taker, whose gaps stay as they were.
void expect_taken(const Numbers& taken, int seed, int from, const std::string& call, std::size_t stride = 1) {
  bool is_right = true;
  for (std::size_t i = 0; i < taken.size(); ++i)
    is_right = is_right && taken[i] == (i % stride == 0 ? number_of(seed, from, i / stride) : kOverwritten);
  expect_that(is_right, call.c_str());
}

void wait(MPI_Request& request) { MPI_Wait(&request, MPI_STATUS_IGNORE); }

void bcast(int root, int count, int seed, bool starts) {
  Numbers numbers =
      rank == root ? given(seed, root, count) : Numbers(static_cast<std::size_t>(count), kOverwritten);
  MPI_Request request = MPI_REQUEST_NULL;
  if (starts) {
    MPI_Ibcast(numbers.data(), count, MPI_LONG, root, MPI_COMM_WORLD, &request);
    wait(request);
  } else {
    MPI_Bcast(numbers.data(), count, MPI_LONG, root, MPI_COMM_WORLD);
  }
  if (rank == root) return overwrite(numbers);
  expect_taken(numbers, seed, root, "MPI_Bcast");
}

void bcast_to_a_vector(int root, int count, int seed) {
  if (rank == root) {
    Numbers numbers = given(seed, root, count);
    MPI_Bcast(numbers.data(), count, MPI_LONG, root, MPI_COMM_WORLD);
    return overwrite(numbers);
  }
  constexpr int kStride = 3;
  MPI_Datatype every_third = MPI_DATATYPE_NULL;
  MPI_Type_vector(count, 1, kStride, MPI_LONG, &every_third);
  MPI_Type_commit(&every_third);
  Numbers numbers(static_cast<std::size_t>(count) * kStride, kOverwritten);
  MPI_Bcast(numbers.data(), 1, every_third, root, MPI_COMM_WORLD);
  MPI_Type_free(&every_third);
  expect_taken(numbers, seed, root, "MPI_Bcast to a vector", kStride);
}

void gather(int root, int count, int seed, bool by_lists) {
  const int counts[2] = {count, count}, places[2] = {0, count};
  Numbers send = given(seed, rank, count);
  Numbers recv(rank == root ? 2 * send.size() : 0, kOverwritten);
  if (by_lists) {
    MPI_Gatherv(send.data(), count, MPI_LONG, recv.data(), counts, places, MPI_LONG, root, MPI_COMM_WORLD);
  } else {
    MPI_Gather(send.data(), count, MPI_LONG, recv.data(), count, MPI_LONG, root, MPI_COMM_WORLD);
  }
  overwrite(send);
  if (rank != root) return;
  const auto middle = recv.begin() + count;
  expect_taken({recv.begin(), middle}, seed, 0, "MPI_Gather, of rank 0");
  expect_taken({middle, recv.end()}, seed, 1, "MPI_Gather, of rank 1");
}

void scatter(int root, int count, int seed, bool by_lists) {
  const int counts[2] = {count, count}, places[2] = {count, 0};
  Numbers send = rank == root ? given(seed, root, 2 * count) : Numbers();
  Numbers recv(static_cast<std::size_t>(count), kOverwritten);
  if (by_lists) {
    MPI_Scatterv(send.data(), counts, places, MPI_LONG, recv.data(), count, MPI_LONG, root, MPI_COMM_WORLD);
  } else {
    MPI_Scatter(send.data(), count, MPI_LONG, recv.data(), count, MPI_LONG, root, MPI_COMM_WORLD);
  }
  overwrite(send);
  const bool takes_second = by_lists ? rank == 0 : rank == 1;
  const long shift = takes_second ? count : 0;
  for (long& number : recv) number -= shift;
  expect_taken(recv, seed, root, "MPI_Scatter");
}

void reduce(int root, int count, int seed, bool starts) {
  Numbers send = given(seed, rank, count);
  Numbers recv(rank == root ? send.size() : 0, kOverwritten);
  MPI_Request request = MPI_REQUEST_NULL;
  if (starts) {
    MPI_Ireduce(send.data(), recv.data(), count, MPI_LONG, MPI_SUM, root, MPI_COMM_WORLD, &request);
    wait(request);
  } else {
    MPI_Reduce(send.data(), recv.data(), count, MPI_LONG, MPI_SUM, root, MPI_COMM_WORLD);
  }
  overwrite(send);
  for (std::size_t i = 0; i < recv.size(); ++i) recv[i] -= number_of(seed, 1, i);
  expect_taken(recv, seed, 0, "MPI_Reduce");
}

void exscan(int count, int seed) {
  Numbers send = given(seed, rank, count);
  Numbers recv(send.size(), kOverwritten);
  MPI_Exscan(send.data(), recv.data(), count, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  overwrite(send);
  if (rank == 1) expect_taken(recv, seed, 0, "MPI_Exscan");
}

/// Of which the first rank keeps its input.
void scan(int count, int seed) {
  Numbers send = given(seed, rank, count);
  Numbers recv(send.size(), kOverwritten);
  MPI_Scan(send.data(), recv.data(), count, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  overwrite(send);
  if (rank == 1)
    for (std::size_t i = 0; i < recv.size(); ++i) recv[i] -= number_of(seed, 1, i);
  expect_taken(recv, seed, 0, "MPI_Scan");
}

/// What lies behind an index is cleared, however long the vectors are: results are the same bit by bit.
void exscan_with_padding(int count) {
  struct Located {
    double number;
    int index;
  };
  constexpr std::size_t kGap = offsetof(Located, index) + sizeof(int);
  std::vector<Located> send(static_cast<std::size_t>(count)), recv(send.size());
  std::memset(static_cast<void*>(send.data()), rank + 1, send.size() * sizeof(Located));
  std::memset(static_cast<void*>(recv.data()), 7, recv.size() * sizeof(Located));
  for (Located& each : send) each = {1.5, rank};
  MPI_Exscan(send.data(), recv.data(), count, MPI_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD);
  bool is_right = true;
  for (const Located& each : recv) {
    const auto* const bytes = reinterpret_cast<const unsigned char*>(&each);
    for (std::size_t at = kGap; at < sizeof each; ++at)
      is_right = is_right && bytes[at] == (rank == 0 ? 7 : 0);
    is_right = is_right && (rank == 0 || (each.number == 1.5 && each.index == 0));
  }
  expect_that(is_right, "MPI_Exscan clears padding");
}

/// Its root's input and result are one.
void reduce_in_place(int root, int count, int seed) {
  Numbers numbers = given(seed, rank, count);
  const bool is_root = rank == root;
  MPI_Reduce(is_root ? MPI_IN_PLACE : numbers.data(), numbers.data(), count, MPI_LONG, MPI_SUM, root,
             MPI_COMM_WORLD);
  if (!is_root) return overwrite(numbers);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] -= number_of(seed, 1, i);
  expect_taken(numbers, seed, 0, "MPI_Reduce in place");
}

void add_twice(void* in, void* inout, int* count, MPI_Datatype*) {
  const long* const left = static_cast<const long*>(in);
  long* const right = static_cast<long*>(inout);
  for (int i = 0; i < 3 * *count; ++i) right[i] = 2 * right[i] + left[i];
}
/// By an operation of the program's, of elements of 24 bytes, and in the order of the ranks.
void reduce_triples(int root, int triples, int seed) {
  MPI_Datatype triple;
  MPI_Op op;
  MPI_Type_contiguous(3, MPI_LONG, &triple);
  MPI_Type_commit(&triple);
  MPI_Op_create(add_twice, 0, &op);
  Numbers send = given(seed, rank, 3 * triples);
  Numbers recv(rank == root ? send.size() : 0, kOverwritten);
  MPI_Reduce(send.data(), recv.data(), triples, triple, op, root, MPI_COMM_WORLD);
  overwrite(send);
  for (std::size_t i = 0; i < recv.size(); ++i) recv[i] -= 2 * number_of(seed, 1, i);
  expect_taken(recv, seed, 0, "MPI_Reduce of triples");
  MPI_Op_free(&op);
  MPI_Type_free(&triple);
}

/// All of the result goes to one of the two.
void reduce_scatter_to_one(int taker, int count, int seed) {
  const int counts[2] = {taker == 0 ? count : 0, taker == 1 ? count : 0};
  Numbers send = given(seed, rank, count);
  Numbers recv(rank == taker ? send.size() : 0, kOverwritten);
  MPI_Reduce_scatter(send.data(), recv.data(), counts, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  overwrite(send);
  for (std::size_t i = 0; i < recv.size(); ++i) recv[i] -= number_of(seed, 1, i);
  expect_taken(recv, seed, 0, "MPI_Reduce_scatter");
}

/// Nothing is pulled where what comes takes the place of what goes.
void exchange(int count, int seed, bool starts, bool replaces) {
  const auto place = static_cast<std::size_t>(1 - rank) * static_cast<std::size_t>(count);
  Numbers send(2 * static_cast<std::size_t>(count)), recv(send.size(), kOverwritten);
  const Numbers block = given(seed, rank, count);
  Numbers& sent = replaces ? recv : send;
  std::copy(block.begin(), block.end(), sent.begin() + static_cast<std::ptrdiff_t>(place));
  const void* const from = replaces ? MPI_IN_PLACE : send.data();
  MPI_Request request = MPI_REQUEST_NULL;
  if (starts) {
    MPI_Ialltoall(from, count, MPI_LONG, recv.data(), count, MPI_LONG, MPI_COMM_WORLD, &request);
    wait(request);
  } else {
    MPI_Alltoall(from, count, MPI_LONG, recv.data(), count, MPI_LONG, MPI_COMM_WORLD);
  }
  overwrite(send);
  const auto first = recv.begin() + static_cast<std::ptrdiff_t>(place);
  expect_taken({first, first + count}, seed, 1 - rank, "MPI_Alltoall");
}
/// Of lists. What comes back is shorter, so that only one of both may be pulled, or both.
void exchange_lists(int count, int seed, int share) {
  const int mine = rank == 0 ? count : count / share, other = rank == 0 ? count / share : count;
  const int none_and[2][2] = {{0, mine}, {mine, 0}}, from[2][2] = {{0, other}, {other, 0}};
  constexpr int kPlaces[2] = {0, 0};
  Numbers send = given(seed, rank, mine), recv(static_cast<std::size_t>(other), kOverwritten);
  MPI_Alltoallv(send.data(), none_and[rank], kPlaces, MPI_LONG, recv.data(), from[rank], kPlaces, MPI_LONG,
                MPI_COMM_WORLD);
  overwrite(send);
  expect_taken(recv, seed, 1 - rank, "MPI_Alltoallv");
}

/// Two alltoalls, and of two lists what comes to this rank.
unsigned long exchanges_pulled(int count) {
  const auto is_pulled = [](int numbers) {
    const long bytes = numbers * static_cast<long>(sizeof(long));
    return bytes > (16 << 10) && bytes <= 32 << 10 ? 1UL : 0UL;
  };
  return 3 * is_pulled(count) + (rank == 0 ? is_pulled(count / 3) : is_pulled(count));
}
/// How many of pass_all's calls this rank pulls of, if all go that way.
unsigned long pulled_of_all(int root, int count) {
  constexpr long kMostBoxed = 32 << 10, kMostBroadcast = 128 << 10, kMostPulled = 1 << 20;
  const long bytes = count * static_cast<long>(sizeof(long));
  if (bytes <= 8 << 10) return 0;
  const unsigned long blocks = bytes <= kMostBoxed ? 2 : 0, broadcasts = bytes <= kMostBroadcast ? 3 : 0;
  const unsigned long folds = bytes <= kMostPulled ? 4 : 0,
                      exscans = bytes <= kMostBroadcast && rank == 1 ? 1 : 0,
                      scans = bytes <= kMostPulled && rank == 1 ? 1 : 0;
  return scans + exscans + blocks + exchanges_pulled(count) + (rank == root ? folds : broadcasts);
}

void pass_all(int root, int count, int seed) {
  for (const bool second : {false, true}) {
    bcast(root, count, seed, second);
    gather(root, count, seed + 1, second);
    scatter(root, count, seed + 2, second);
    reduce(root, count, seed + 3, second);
    exchange(count, seed + 8, second, false);
    exchange(count, seed + 9, second, true);
  }
  for (const int share : {1, 3}) exchange_lists(count, seed + 10 + share, share);
  bcast_to_a_vector(root, count, seed + 4);
  exscan(count, seed + 5);
  scan(count, seed + 14);
  reduce_scatter_to_one(root, count, seed + 6);
  reduce_in_place(root, count, seed + 7);
  MPI_Barrier(MPI_COMM_WORLD);  // what the others want has been told
}

}  // namespace

/// ARGUMENT: "boxes" or "pull" if that is forced.
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const std::string forced = argc > 1 ? argv[1] : "";
  const bool may_pull = can_pull(rank, 2);
  constexpr int kRounds = 24;  // some trials
  unsigned long all = 0;
  for (int round = 0; round < kRounds; ++round)
    for (const int count : kCounts) {
      pass_all(round % 2, count, round);
      all += pulled_of_all(round % 2, count);
    }
  for (const int count : {500, 20'000}) exscan_with_padding(count);
  const unsigned long trials =
      counted("foldlane_kept_pass_way_boxes") + counted("foldlane_kept_pass_way_pull");
  const unsigned long pulled = counted("foldlane_pulled_calls");
  expect_that((trials > 0) == (forced.empty() && may_pull), "it is timed which way data go one way");
  expect_that((pulled > 0) == (forced != "boxes" && may_pull), "some are pulled in trials");
  if (forced == "pull" && may_pull) expect_that(pulled == all, "all are pulled that may be");
  for (const int triples : {10'000, 33'333, 43'690})
    for (const int root : {0, 1, 0, 1}) reduce_triples(root, triples, triples);
  MPI_Finalize();
  return 0;
}
