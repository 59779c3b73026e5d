// Which blocking calls with lists go straight from their arguments: those of ints of one dense datatype, of
// more than two ranks. The linker puts a count in front of the engine's function that nobody else calls,
// AT_ONCE.
#include <mpi.h>

#include <cstddef>
#include <string>
#include <vector>

#include "engine/collectives/list_steps.hpp"
#include "support/expect.h"

using foldlane::engine::Movement;
using foldlane::engine::Team;
using Result = foldlane::shm::Result<void>;

Result of_engine(Team& team, foldlane::engine::Call call,
                 const Movement& movement) __asm__("__real_" AT_ONCE);
Result counted(Team& team, foldlane::engine::Call call, const Movement& movement) __asm__("__wrap_" AT_ONCE);

namespace {

int calls = 0;

}  // namespace

Result counted(Team& team, foldlane::engine::Call call, const Movement& movement) {
  ++calls;
  return of_engine(team, call, movement);
}

namespace {

using Ints = std::vector<int>;
using Types = std::vector<MPI_Datatype>;

int rank_, ranks_;

std::size_t size() { return static_cast<std::size_t>(ranks_); }

Ints steps_of(int step) {
  Ints numbers;
  for (int i = 0; i < ranks_; ++i) numbers.push_back(i * step);
  return numbers;
}

MPI_Datatype committed(MPI_Datatype type) {
  MPI_Type_commit(&type);
  return type;
}
MPI_Datatype pair() {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(2, MPI_INT, &type);
  return committed(type);
}
/// As long as two ints.
MPI_Datatype apart() {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &type);
  return committed(type);
}

/// So many ints for each; the result has room for types that are `stride` as long.
struct Lists {
  explicit Lists(int ints, int stride = 1)
      : counts(size(), ints), places(steps_of(ints)), in(size() * static_cast<std::size_t>(ints)) {
    out.resize(in.size() * static_cast<std::size_t>(stride), -1);
    for (int to = 0; to < ranks_; ++to)
      for (int i = 0; i < ints; ++i) in[static_cast<std::size_t>(to * ints + i)] = word(rank_, to, i);
  }

  static int word(int from, int to, int i) { return 1'000'000 * from + 50'000 * to + i; }

  /// What all have given to `to`, an int in so many.
  bool are_taken(int to, int stride = 1) const {
    const int ints = counts[0];
    for (int from = 0; from < ranks_; ++from)
      for (int i = 0; i < ints; ++i)
        if (out[static_cast<std::size_t>((from * ints + i) * stride)] != word(from, to, i)) return false;
    return true;
  }
  Ints bytes() const { return steps_of(counts[0] * static_cast<int>(sizeof(int))); }

  Ints counts, places, in, out;
};

/// What the call did is right, and it went straight, or not.
void expect_way(bool goes_straight, bool is_right, const std::string& what) {
  expect_that(is_right, what + ": the result");
  expect_that(calls == (goes_straight ? 1 : 0), what + (goes_straight ? ": not straight" : ": straight"));
  calls = 0;
}

void alltoallv(Lists& lists, MPI_Datatype taken) {
  MPI_Alltoallv(lists.in.data(), lists.counts.data(), lists.places.data(), MPI_INT, lists.out.data(),
                lists.counts.data(), lists.places.data(), taken, MPI_COMM_WORLD);
}
void alltoallw(Lists& lists, const Types& given, const Types& taken) {
  const Ints bytes = lists.bytes();
  MPI_Alltoallw(lists.in.data(), lists.counts.data(), bytes.data(), given.data(), lists.out.data(),
                lists.counts.data(), bytes.data(), taken.data(), MPI_COMM_WORLD);
}
void allgatherv(Lists& lists, MPI_Datatype taken) {
  MPI_Allgatherv(lists.in.data(), lists.counts[0], MPI_INT, lists.out.data(), lists.counts.data(),
                 lists.places.data(), taken, MPI_COMM_WORLD);
}

void expect_usual_lists() {
  const bool straight = ranks_ > 2;
  const Types ints(size(), MPI_INT), words(size(), MPI_INT32_T);
  for (const int length : {1, 40, 3000, 20'000}) {
    Lists list(length), typed(length), gathered(length);
    alltoallv(list, MPI_INT);
    expect_way(straight, list.are_taken(rank_), "MPI_Alltoallv of " + std::to_string(length));
    alltoallw(typed, ints, words);
    expect_way(straight, typed.are_taken(rank_), "MPI_Alltoallw of " + std::to_string(length));
    allgatherv(gathered, MPI_INT);
    expect_way(straight, gathered.are_taken(0), "MPI_Allgatherv of " + std::to_string(length));
  }
}

/// A type of two ints is as dense as one, and an input may be read twice.
void expect_lists_that_are_usual_too() {
  const bool straight = ranks_ > 2;
  MPI_Datatype two = pair();
  Lists list(2);
  const Ints ones(size(), 1), numbers = steps_of(1), none(size(), 0);
  MPI_Alltoallv(list.in.data(), list.counts.data(), list.places.data(), MPI_INT, list.out.data(), ones.data(),
                numbers.data(), two, MPI_COMM_WORLD);
  expect_way(straight, list.are_taken(rank_), "MPI_Alltoallv of a dense derived datatype");
  Lists same(3);
  MPI_Alltoallv(same.in.data(), same.counts.data(), none.data(), MPI_INT, same.out.data(), same.counts.data(),
                same.places.data(), MPI_INT, MPI_COMM_WORLD);
  expect_way(straight, same.are_taken(0), "MPI_Alltoallv of one block for all");
  MPI_Type_free(&two);
}

/// One datatype is unusual, on one side.
void expect_unusual_types() {
  MPI_Datatype gap = apart();
  Lists list(3, 2), gathered(3, 2), mixed(2);
  alltoallv(list, gap);
  expect_way(false, list.are_taken(rank_, 2), "MPI_Alltoallv of a datatype with gaps");
  allgatherv(gathered, gap);
  expect_way(false, gathered.are_taken(0, 2), "MPI_Allgatherv of a datatype with gaps");
  Types ints(size(), MPI_INT), last(size(), MPI_INT);
  last.back() = MPI_INT32_T;
  alltoallw(mixed, ints, last);
  expect_way(false, mixed.are_taken(rank_), "MPI_Alltoallw of two datatypes");
  MPI_Type_free(&gap);
}

void expect_large_counts() {
  Lists list(3), gathered(3);
  const std::vector<MPI_Count> counts(list.counts.begin(), list.counts.end());
  const std::vector<MPI_Aint> places(list.places.begin(), list.places.end());
  MPI_Alltoallv_c(list.in.data(), counts.data(), places.data(), MPI_INT, list.out.data(), counts.data(),
                  places.data(), MPI_INT, MPI_COMM_WORLD);
  expect_way(false, list.are_taken(rank_), "MPI_Alltoallv_c");
  MPI_Allgatherv_c(gathered.in.data(), 3, MPI_INT, gathered.out.data(), counts.data(), places.data(), MPI_INT,
                   MPI_COMM_WORLD);
  expect_way(false, gathered.are_taken(0), "MPI_Allgatherv_c");
}

void expect_calls_in_place() {
  Lists list(3), typed(3), gathered(3);
  const Types ints(size(), MPI_INT);
  const Ints bytes = typed.bytes();
  list.out = typed.out = list.in;
  MPI_Alltoallv(MPI_IN_PLACE, nullptr, nullptr, MPI_DATATYPE_NULL, list.out.data(), list.counts.data(),
                list.places.data(), MPI_INT, MPI_COMM_WORLD);
  expect_way(false, list.are_taken(rank_), "MPI_Alltoallv in place");
  MPI_Alltoallw(MPI_IN_PLACE, nullptr, nullptr, nullptr, typed.out.data(), typed.counts.data(), bytes.data(),
                ints.data(), MPI_COMM_WORLD);
  expect_way(false, typed.are_taken(rank_), "MPI_Alltoallw in place");
  for (int i = 0; i < 3; ++i)
    gathered.out[static_cast<std::size_t>(3 * rank_ + i)] = Lists::word(rank_, 0, i);
  MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, gathered.out.data(), gathered.counts.data(),
                 gathered.places.data(), MPI_INT, MPI_COMM_WORLD);
  expect_way(false, gathered.are_taken(0), "MPI_Allgatherv in place");
}

void expect_calls_under_way() {
  Lists list(3);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ialltoallv(list.in.data(), list.counts.data(), list.places.data(), MPI_INT, list.out.data(),
                 list.counts.data(), list.places.data(), MPI_INT, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  expect_way(false, list.are_taken(rank_), "MPI_Ialltoallv");
}

/// What all ranks do wrong, so that each is told: before the short way has touched anything.
void expect_mistakes() {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  Lists list(3);
  Ints negative = list.counts, longer = list.counts;
  negative.back() = -1;
  longer[static_cast<std::size_t>(rank_)] = 4;
  for (const Ints& wrong : {negative, longer}) {
    const int code = MPI_Alltoallv(list.in.data(), wrong.data(), list.places.data(), MPI_INT, list.out.data(),
                                   list.counts.data(), list.places.data(), MPI_INT, MPI_COMM_WORLD);
    expect_way(false, code != MPI_SUCCESS, "MPI_Alltoallv with a mistake");
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
  expect_usual_lists();
  expect_lists_that_are_usual_too();
  expect_unusual_types();
  expect_large_counts();
  expect_calls_in_place();
  expect_calls_under_way();
  expect_mistakes();
  MPI_Finalize();
  return 0;
}
