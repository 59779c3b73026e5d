// Long messages, one way forced (named on the command line, as FOLDLANE_ARMS says it) or none, from private
// memory or, if the command line says so, out of heaps of the segment: every byte comes, none beside it
// changes, and the counters tell which way they went.
#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "support/can_pull.hpp"
#include "support/counters.hpp"
#include "support/expect.h"
#include "support/fast_strings.hpp"

namespace {

using foldlane::tests::can_pull;
using foldlane::tests::counted;

// On both sides of where pulling begins, of a piece and of several; and more than all pieces of usual size.
constexpr int kSizes[] = {8192,   8193,   16384,   16385,         32769,           65537,
                          131072, 131073, 300'000, (1 << 20) + 5, (3 << 20) + 777, 5};
constexpr int kGuard = 64;

char byte_of(int seed, int i) { return static_cast<char>(seed * 31 + i % 251); }

std::vector<char> message(int seed, int bytes) {
  std::vector<char> data(static_cast<std::size_t>(bytes));
  for (int i = 0; i < bytes; ++i) data[static_cast<std::size_t>(i)] = byte_of(seed, i);
  return data;
}

/// With a guard behind it.
std::vector<char> place_for(int bytes) {
  return std::vector<char>(static_cast<std::size_t>(bytes + kGuard), 'g');
}
void expect_received(const std::vector<char>& place, int seed, int bytes, const char* what) {
  for (int i = 0; i < static_cast<int>(place.size()); ++i) {
    const char expected = i < bytes ? byte_of(seed, i) : 'g';
    if (place[static_cast<std::size_t>(i)] == expected) continue;
    expect_that(false, what);
    return;
  }
}

/// Each sends to the next one, and receives from the one before.
void exchange(int bytes, int seed, int rank, int ranks) {
  const int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
  const std::vector<char> data = message(seed + rank, bytes);
  std::vector<char> place = place_for(bytes);
  MPI_Sendrecv(data.data(), bytes, MPI_CHAR, to, seed, place.data(), bytes, MPI_CHAR, from, seed,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  expect_received(place, seed + from, bytes, "MPI_Sendrecv");
}

/// Both send before they receive. The standard promises nothing, but programs do it, and every MPI lets them
/// up to some size: that pulling needs the receiver must not take it away. (What lies in a heap of the
/// segment waits for its receiver.)
void head_to_head(int rank) {
  constexpr int kBytes = 100'000, kSeed = 5;
  const int other = 1 - rank;
  const std::vector<char> data = message(kSeed + rank, kBytes);
  std::vector<char> place = place_for(kBytes);
  MPI_Send(data.data(), kBytes, MPI_CHAR, other, kSeed, MPI_COMM_WORLD);
  MPI_Recv(place.data(), kBytes, MPI_CHAR, other, kSeed, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  expect_received(place, kSeed + other, kBytes, "MPI_Send to each other");
}

/// Several under way at once, received out of order, some of them synchronous.
void stream(int bytes, int seed, int rank) {
  constexpr int kMany = 6;
  std::vector<std::vector<char>> data;
  std::vector<MPI_Request> requests(kMany);
  for (int i = 0; i < kMany; ++i) data.push_back(rank == 0 ? message(seed + i, bytes) : place_for(bytes));
  for (int i = 0; i < kMany; ++i) {
    const auto at = static_cast<std::size_t>(rank == 0 ? i : kMany - 1 - i);
    if (rank == 0) {
      (i % 2 == 0 ? MPI_Isend : MPI_Issend)(data[at].data(), bytes, MPI_CHAR, 1, i, MPI_COMM_WORLD,
                                            &requests[at]);
    } else {
      MPI_Irecv(data[at].data(), bytes, MPI_CHAR, 0, static_cast<int>(at), MPI_COMM_WORLD, &requests[at]);
    }
  }
  MPI_Waitall(kMany, requests.data(), MPI_STATUSES_IGNORE);
  for (int i = 0; i < kMany && rank == 1; ++i)
    expect_received(data[static_cast<std::size_t>(i)], seed + i, bytes, "MPI_Irecv");
}

/// Several under way at once, so that boxes lie beside boxes, which begin in their page as their sender's
/// buffer does.
void stream_from_anywhere_in_a_page(int begin, int rank) {
  constexpr int kMany = 3, kBytes = 131'072, kPageBytes = 4096;
  std::vector<char> data(kMany * kBytes + 2 * kPageBytes, 'g');
  const auto in_page = reinterpret_cast<std::uintptr_t>(data.data()) % kPageBytes;
  char* const first = data.data() + (kPageBytes - in_page) + begin;
  std::vector<MPI_Request> requests(kMany);
  for (int i = 0; i < kMany; ++i) {
    char* const place = first + i * kBytes;
    if (rank == 0) {
      for (int at = 0; at < kBytes; ++at) place[at] = byte_of(begin + i, at);
      MPI_Isend(place, kBytes, MPI_CHAR, 1, i, MPI_COMM_WORLD, &requests[static_cast<std::size_t>(i)]);
    } else {
      MPI_Irecv(place, kBytes, MPI_CHAR, 0, i, MPI_COMM_WORLD, &requests[static_cast<std::size_t>(i)]);
    }
  }
  MPI_Waitall(kMany, requests.data(), MPI_STATUSES_IGNORE);
  bool right = true;
  for (int i = 0; i < kMany; ++i)
    for (int at = 0; at < kBytes; ++at) right &= first[i * kBytes + at] == byte_of(begin + i, at);
  expect_that(right, "messages from anywhere in a page");
}

/// All of them read one buffer, for two receivers where there are as many.
void stream_from_one_buffer(int bytes, int seed, int rank, int ranks) {
  constexpr int kMany = 6;
  const std::vector<char> data = message(seed, bytes);
  std::vector<std::vector<char>> places(kMany, place_for(bytes));
  std::vector<MPI_Request> requests(kMany, MPI_REQUEST_NULL);
  for (int i = 0; i < kMany; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const int to = 1 + i % (ranks - 1);
    if (rank == 0) {
      (i % 4 < 2 ? MPI_Isend : MPI_Issend)(data.data(), bytes, MPI_CHAR, to, i, MPI_COMM_WORLD,
                                           &requests[at]);
    } else if (rank == to) {
      MPI_Irecv(places[at].data(), bytes, MPI_CHAR, 0, i, MPI_COMM_WORLD, &requests[at]);
    }
  }
  MPI_Waitall(kMany, requests.data(), MPI_STATUSES_IGNORE);
  for (int i = 0; i < kMany; ++i) {
    if (rank == 1 + i % (ranks - 1))
      expect_received(places[static_cast<std::size_t>(i)], seed, bytes, "MPI_Irecv from one buffer");
  }
}

/// Into memory in pieces, out of such memory, and into less than is sent.
void unlike_ends(int bytes, int seed, int rank) {
  MPI_Datatype every_other = MPI_DATATYPE_NULL;
  MPI_Type_vector(bytes, 1, 2, MPI_CHAR, &every_other);
  MPI_Type_commit(&every_other);
  std::vector<char> wide(2 * static_cast<std::size_t>(bytes), 'g');
  if (rank == 0) {
    const std::vector<char> data = message(seed, bytes);
    MPI_Send(data.data(), bytes, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
    for (int i = 0; i < bytes; ++i) wide[2 * static_cast<std::size_t>(i)] = byte_of(seed + 1, i);
    MPI_Send(wide.data(), 1, every_other, 1, 2, MPI_COMM_WORLD);
    MPI_Send(data.data(), bytes, MPI_CHAR, 1, 3, MPI_COMM_WORLD);
  } else if (rank == 1) {
    MPI_Recv(wide.data(), 1, every_other, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    bool right = true;
    for (int i = 0; i < 2 * bytes; ++i)
      right = right && wide[static_cast<std::size_t>(i)] == (i % 2 == 0 ? byte_of(seed, i / 2) : 'g');
    expect_that(right, "a receive into memory in pieces");
    std::vector<char> place = place_for(bytes);
    MPI_Recv(place.data(), bytes, MPI_CHAR, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    expect_received(place, seed + 1, bytes, "a send out of memory in pieces");
    place = place_for(bytes);
    const int room = bytes / 2 + 1;
    expect_that(
        MPI_Recv(place.data(), room, MPI_CHAR, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE) == MPI_ERR_TRUNCATE,
        "MPI_ERR_TRUNCATE");
    for (std::size_t i = static_cast<std::size_t>(room); i < place.size(); ++i)
      right = right && place[i] == 'g';
    expect_that(right, "nothing behind the end of a buffer that is too short");
  }
  MPI_Type_free(&every_other);
}

/// Of two that send each other messages at the same time the lower one decides.
void expect_agreed(int rank, bool may_pull) {
  const unsigned long agreed = counted("foldlane_messages_agreed");
  expect_that((agreed > 0) == (may_pull && rank == 0), "one rank decides for both directions");
}

void expect_ways(const std::string& forced, bool may_pull) {
  const unsigned long pulled = counted("foldlane_messages_pulled");
  const unsigned long boxed = counted("foldlane_messages_boxes");
  expect_that((pulled > 0) == (may_pull && forced != "message-way=boxes"), "messages are pulled");
  expect_that(forced == "message-way=pull" || boxed > 0, "messages go through boxes");
  const unsigned long trials =
      counted("foldlane_kept_message_stores_plain") + counted("foldlane_kept_message_stores_streaming");
  const bool is_forced = forced.rfind("message-stores=", 0) == 0;
  if (forced != "message-way=pull")
    expect_that((trials > 0) == !is_forced, "it is timed how messages are stored");
  const unsigned long of_copies =
      counted("foldlane_kept_long_copies_vectors") + counted("foldlane_kept_long_copies_string");
  const bool is_timed = forced.rfind("long-copies=", 0) != 0 && foldlane::tests::has_fast_strings();
  if (forced != "message-way=pull") expect_that((of_copies > 0) == is_timed, "long copies are timed");
}

/// One message, and the bytes of that.
void expect_counted(int rank) {
  constexpr int kBytes = 1'000'003;
  const unsigned long messages = counted("foldlane_messages_pulled");
  const unsigned long bytes = counted("foldlane_message_bytes_pulled");
  std::vector<char> data(kBytes);
  if (rank == 0) MPI_Ssend(data.data(), kBytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(data.data(), kBytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  expect_that(counted("foldlane_messages_pulled") - messages == (rank == 0 ? 1U : 0U), "a message is pulled");
  expect_that(counted("foldlane_message_bytes_pulled") - bytes == (rank == 0 ? kBytes : 0U),
              "its bytes are pulled");
}

/// Nothing is tried where an arm is forced.
void expect_copies(bool forced) {
  const unsigned long trials =
      counted("foldlane_kept_message_copy_alone") + counted("foldlane_kept_message_copy_together");
  expect_that((trials > 0) == !forced, "it is timed who copies");
  expect_that(counted("foldlane_messages_direct") > 0, "messages go from buffer to buffer");
}

}  // namespace

int main(int argc, char** argv) {
  int rank = 0, ranks = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const std::string forced = argc > 1 ? argv[1] : "";
  const bool may_pull = can_pull(rank, ranks);
  constexpr int kRounds = 30;  // some trials
  for (int round = 0; round < kRounds; ++round) {
    for (const int bytes : kSizes) exchange(bytes, round, rank, ranks);
  }
  for (const int begin : {0, 1, 17, 64, 2047, 2048, 4095})
    if (rank < 2) stream_from_anywhere_in_a_page(begin, rank);
  for (const int bytes : kSizes) {
    if (rank < 2) stream(bytes, bytes % 17, rank);
    stream_from_one_buffer(bytes, bytes % 23, rank, ranks);
    unlike_ends(bytes, bytes % 19, rank);
  }
  const bool is_in_heaps = forced == "heaps" || forced.rfind("message-copy", 0) == 0;
  if (is_in_heaps) {
    expect_copies(forced != "heaps");
  } else {
    for (int i = 0; i < 3 && rank < 2; ++i) head_to_head(rank);
    expect_ways(forced, may_pull);
    if (ranks == 2) expect_agreed(rank, may_pull);
    if (forced == "message-way=pull" && may_pull) expect_counted(rank);
  }
  MPI_Finalize();
  return 0;
}
