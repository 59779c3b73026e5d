// Calls whose ways are decided by timing, with one arm forced (named on the command line, as FOLDLANE_ARMS
// says it) or none: the results are the same, a forced decision holds no trials, the others do.
#include <mpi.h>

#include <cstring>
#include <string>
#include <vector>

#include "support/counters.hpp"
#include "support/expect.h"
#include "support/fast_strings.hpp"

namespace {

constexpr int kCounts[] = {64, 300, 2000, 40'000};  // doubles: below what is timed, one piece, many pieces
constexpr int kCalls = 400;                         // some trials
constexpr int kGathers = 3 * kCalls;                // the same for the root of every third one

double value_of(int call, int rank, int element) { return call + 2.0 * rank + element % 7; }

void fill(std::vector<double>& vector, int call, int rank) {
  for (std::size_t i = 0; i < vector.size(); ++i) vector[i] = value_of(call, rank, static_cast<int>(i));
}

bool is_sum(const std::vector<double>& vector, int call, int ranks) {
  for (std::size_t i = 0; i < vector.size(); ++i) {
    double sum = 0;
    for (int rank = 0; rank < ranks; ++rank) sum += value_of(call, rank, static_cast<int>(i));
    if (vector[i] != sum) return false;
  }
  return true;
}

int root_of(int call) { return call % 3 == 0 ? 1 : 0; }

void check_broadcasts(int count, int rank) {
  std::vector<double> data(static_cast<std::size_t>(count)), expected(data.size());
  for (int call = 0; call < kCalls; ++call) {
    fill(data, call, rank);
    fill(expected, call, root_of(call));
    MPI_Bcast(data.data(), count, MPI_DOUBLE, root_of(call), MPI_COMM_WORLD);
    expect_that(data == expected, "MPI_Bcast");
  }
}

void check_reductions(int count, int rank, int ranks) {
  std::vector<double> input(static_cast<std::size_t>(count)), result(input.size());
  for (int call = 0; call < kCalls; ++call) {
    const int root = root_of(call);
    fill(input, call, rank);
    MPI_Reduce(input.data(), result.data(), count, MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD);
    expect_that(rank != root || is_sum(result, call, ranks), "MPI_Reduce");
    MPI_Allreduce(input.data(), result.data(), count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    expect_that(is_sum(result, call, ranks), "MPI_Allreduce");
  }
}

/// Of each rank, what begins with this element of its input.
bool are_blocks(const std::vector<double>& vector, int call, int count, int first) {
  bool right = true;
  for (std::size_t i = 0; i < vector.size(); ++i) {
    const int from = static_cast<int>(i) / count, element = static_cast<int>(i) % count;
    right = right && vector[i] == value_of(call, from, first + element);
  }
  return right;
}

void check_alltoalls(int count, int rank, int ranks) {
  const auto all = static_cast<std::size_t>(count) * static_cast<std::size_t>(ranks);
  std::vector<double> input(all), result(all);
  for (int call = 0; call < kCalls; ++call) {
    fill(input, call, rank);
    MPI_Alltoall(input.data(), count, MPI_DOUBLE, result.data(), count, MPI_DOUBLE, MPI_COMM_WORLD);
    expect_that(are_blocks(result, call, count, rank * count), "MPI_Alltoall");
  }
}

void check_gathers(int count, int rank, int ranks) {
  std::vector<double> input(static_cast<std::size_t>(count)),
      result(input.size() * static_cast<std::size_t>(ranks));
  for (int call = 0; call < kGathers; ++call) {
    fill(input, call, rank);
    const int root = root_of(call);
    MPI_Gather(input.data(), count, MPI_DOUBLE, result.data(), count, MPI_DOUBLE, root, MPI_COMM_WORLD);
    expect_that(rank != root || are_blocks(result, call, count, 0), "MPI_Gather");
  }
}

unsigned long kept(const std::string& arm) {
  return foldlane::tests::counted(("foldlane_kept_" + arm).c_str());
}

}  // namespace

int main(int argc, char** argv) {
  int rank = 0, ranks = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const std::string forced = argc > 1 ? argv[1] : "";
  const auto trials_of = [&](const char* first, const char* second) { return kept(first) + kept(second); };
  // In teams of two data of rooted calls flows one way, through slots or boxes, and results that come through
  // boxes are timed.
  const bool hands_back = ranks == 2 && forced.find("hand-back=") == std::string::npos;
  const bool stores_are_timed = forced.find("result-stores=") == std::string::npos;
  const auto store_trials = [&] { return trials_of("result_stores_plain", "result_stores_streaming"); };
  for (const int count : kCounts) check_broadcasts(count, rank);
  expect_that((store_trials() > 0) == stores_are_timed, "trials of how broadcasts are stored");
  const unsigned long of_slots = trials_of("hand_back_dirty", "hand_back_clean");
  expect_that((of_slots > 0) == hands_back, "trials of how slots are handed back");
  // Reductions of two copy long pieces into boxes, others into slots, if those do not stream.
  const bool copies_long = ranks == 2 || forced != "slot-stores=streaming";
  const bool copies_are_timed =
      foldlane::tests::has_fast_strings() && forced.find("long-copies=") == std::string::npos;
  const auto copy_trials = [&] { return trials_of("long_copies_vectors", "long_copies_string"); };
  const unsigned long of_copies = copy_trials();
  for (const int count : kCounts) check_reductions(count, rank, ranks);
  expect_that((copy_trials() > of_copies) == (copies_long && copies_are_timed), "trials of long copies");
  const unsigned long of_both = trials_of("hand_back_dirty", "hand_back_clean");
  expect_that((of_both > of_slots) == hands_back, "trials of how boxes are handed back");
  const bool times_moves = ranks == 2 && stores_are_timed;
  const unsigned long of_folds = store_trials();
  for (const int count : kCounts) check_gathers(count, rank, ranks);
  const unsigned long of_gathers = store_trials();
  expect_that((of_gathers > of_folds) == times_moves, "trials of how what is gathered is stored");
  for (const int count : kCounts) check_alltoalls(count, rank, ranks);
  expect_that((store_trials() > of_gathers) == times_moves, "trials of how what is exchanged is stored");
  expect_that((trials_of("slot_stores_plain", "slot_stores_streaming") > 0) ==
                  (ranks > 2 && forced.find("slot-stores=") == std::string::npos),
              "trials of how slots are filled");
  MPI_Finalize();
  return 0;
}
