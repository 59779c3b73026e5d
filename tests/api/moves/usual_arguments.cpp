// Of more than two ranks, arguments that are as usual take a short way, and lists of them are judged at one
// look. What differs from them in one place is judged as ever: wrong numbers are named, unusual ones are
// right.
#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <cstring>

#include "support/expect.h"

namespace {

constexpr int kRanks = 3;
using Ints = std::array<int, 2 * kRanks>;

int rank_;

int class_of(int code) {
  int error_class = MPI_SUCCESS;
  MPI_Error_class(code, &error_class);
  return error_class;
}

bool says(int code, const char* what) {
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  return std::strstr(text.data(), what) != nullptr;
}

/// What rank r gives to rank s is 10 r + s.
Ints given() {
  Ints values{};
  for (int to = 0; to < kRanks; ++to) values[static_cast<std::size_t>(to)] = 10 * rank_ + to;
  return values;
}

bool are_taken(const int* taken) {
  for (int from = 0; from < kRanks; ++from)
    if (taken[from] != 10 * from + rank_) return false;
  return true;
}

void expect_right_calls() {
  const Ints in = given();
  Ints out{};
  MPI_Alltoall(in.data(), 1, MPI_INT, out.data(), 1, MPI_INT, MPI_COMM_WORLD);
  expect_that(are_taken(out.data()), "MPI_Alltoall");
  out = {};
  MPI_Allgather(&in[1], 1, MPI_INT, out.data(), 4, MPI_BYTE, MPI_COMM_WORLD);
  expect_that(out[0] == 1 && out[1] == 11 && out[2] == 21, "MPI_Allgather of different types");
}

/// One rank's blocks are not dense, so it goes the long way, to the same turns.
void expect_calls_of_both_ways() {
  MPI_Datatype apart = MPI_DATATYPE_NULL;
  MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &apart);
  MPI_Type_commit(&apart);
  const Ints in = given();
  Ints out{};
  if (rank_ == 1) {
    MPI_Alltoall(in.data(), 1, MPI_INT, out.data(), 1, apart, MPI_COMM_WORLD);
    out = {out[0], out[2], out[4]};
  } else {
    MPI_Alltoall(in.data(), 1, MPI_INT, out.data(), 1, MPI_INT, MPI_COMM_WORLD);
  }
  expect_that(are_taken(out.data()), "MPI_Alltoall of ranks with different datatypes");
  out = {};
  const std::array ones{1, 1, 1}, places{0, 1, 2};
  MPI_Alltoallv(in.data(), ones.data(), places.data(), MPI_INT, out.data(), ones.data(), places.data(),
                rank_ == 1 ? apart : MPI_INT, MPI_COMM_WORLD);
  if (rank_ == 1) out = {out[0], out[2], out[4]};
  expect_that(are_taken(out.data()), "MPI_Alltoallv of ranks with different datatypes");
  out = {};
  MPI_Allgatherv(&in[1], 1, MPI_INT, out.data(), ones.data(), places.data(), rank_ == 1 ? apart : MPI_INT,
                 MPI_COMM_WORLD);
  if (rank_ == 1) out = {out[0], out[2], out[4]};
  expect_that(out[0] == 1 && out[1] == 11 && out[2] == 21,
              "MPI_Allgatherv of ranks with different datatypes");
  MPI_Type_free(&apart);
}

void expect_mistakes() {
  const Ints in = given();
  Ints out{}, mixed = given();
  const MPI_Comm world = MPI_COMM_WORLD;
  const int overlap = MPI_Alltoall(mixed.data(), 1, MPI_INT, mixed.data() + 2, 1, MPI_INT, world);
  expect_that(class_of(overlap) == MPI_ERR_BUFFER, "buffers of an alltoall that overlap");
  const int inside = MPI_Allgather(&mixed[2], 1, MPI_INT, mixed.data(), 1, MPI_INT, world);
  expect_that(class_of(inside) == MPI_ERR_BUFFER, "an allgather's input within its result");
  const int nowhere = MPI_Alltoall(nullptr, 1, MPI_INT, out.data(), 1, MPI_INT, world);
  expect_that(class_of(nowhere) == MPI_ERR_BUFFER, "an alltoall from nowhere");
  const int longer = MPI_Allgather(in.data(), 2, MPI_INT, out.data(), 1, MPI_INT, world);
  expect_that(class_of(longer) == MPI_ERR_TRUNCATE, "an own block that is longer than its place");
  const std::array ones{1, 1, 1}, places{0, 1, 2}, negative{1, 1, -5};
  const int last = MPI_Alltoallv(in.data(), ones.data(), places.data(), MPI_INT, out.data(), negative.data(),
                                 places.data(), MPI_INT, world);
  expect_that(class_of(last) == MPI_ERR_COUNT && says(last, "recvcounts[2] is -5"), "the last count");
  const std::array longer_own{rank_ == 0 ? 2 : 1, rank_ == 1 ? 2 : 1, rank_ == 2 ? 2 : 1};
  const int other_own = MPI_Alltoallv(in.data(), longer_own.data(), places.data(), MPI_INT, out.data(),
                                      ones.data(), places.data(), MPI_INT, world);
  expect_that(class_of(other_own) == MPI_ERR_TRUNCATE && says(other_own, "sends itself 8 bytes"),
              "an own block of an alltoallv that is longer than its place");
  const int other_one =
      MPI_Allgatherv(in.data(), 2, MPI_INT, out.data(), ones.data(), places.data(), MPI_INT, world);
  expect_that(class_of(other_one) == MPI_ERR_TRUNCATE, "an own block of an allgatherv");
  const std::array<MPI_Datatype, kRanks> no_last{MPI_INT, MPI_INT, MPI_DATATYPE_NULL};
  const int no_type = MPI_Alltoallw(in.data(), ones.data(), places.data(), no_last.data(), out.data(),
                                    ones.data(), places.data(), no_last.data(), world);
  expect_that(class_of(no_type) == MPI_ERR_TYPE, "the last datatype");
  const int to_nowhere = MPI_Alltoallv(in.data(), ones.data(), places.data(), MPI_INT, nullptr, ones.data(),
                                       places.data(), MPI_INT, world);
  expect_that(class_of(to_nowhere) == MPI_ERR_BUFFER, "an alltoallv to nowhere");
  const std::array<MPI_Count, kRanks> counts{1, 1, 1};
  const std::array<MPI_Aint, kRanks> beyond{0, 1, MPI_Aint{1} << 62};
  const int far = MPI_Alltoallv_c(in.data(), counts.data(), beyond.data(), MPI_INT, out.data(), counts.data(),
                                  beyond.data(), MPI_INT, world);
  expect_that(class_of(far) == MPI_ERR_ARG, "a displacement that no address space has");
  for (const int value : out) expect_that(value == 0, "a call with a mistake changes nothing");
}

/// Nothing is there, so its place may be anywhere.
void expect_unusual_places() {
  const Ints in = given();
  Ints out{};
  const int none_to = (rank_ + 1) % kRanks, none_from = (rank_ + kRanks - 1) % kRanks;
  std::array<MPI_Count, kRanks> sent{1, 1, 1}, taken{1, 1, 1};
  std::array<MPI_Aint, kRanks> from{0, 1, 2}, to{2, 1, 0};
  sent[static_cast<std::size_t>(none_to)] = taken[static_cast<std::size_t>(none_from)] = 0;
  from[static_cast<std::size_t>(none_to)] = MPI_Aint{1} << 40;
  to[static_cast<std::size_t>(none_from)] = -(MPI_Aint{1} << 40);
  MPI_Alltoallv_c(in.data(), sent.data(), from.data(), MPI_INT, out.data(), taken.data(), to.data(), MPI_INT,
                  MPI_COMM_WORLD);
  for (int giver = 0; giver < kRanks; ++giver) {
    const int wanted = giver == none_from ? 0 : 10 * giver + rank_;
    expect_that(out[static_cast<std::size_t>(2 - giver)] == wanted, "places beyond 32 bits");
  }
}

/// Displacements of an alltoallw are bytes, whether its datatypes differ or not, and whether they are dense.
void expect_typed_lists() {
  MPI_Datatype second = MPI_DATATYPE_NULL;  // an int, behind the bytes of another one
  MPI_Type_create_hindexed_block(1, 1, std::array<MPI_Aint, 1>{sizeof(int)}.data(), MPI_INT, &second);
  MPI_Type_commit(&second);
  const Ints in = given();
  const std::array ones{1, 1, 1}, places{0, 4, 8}, apart{0, 8, 16}, shifted{-4, 4, 12};
  const std::array<MPI_Datatype, kRanks> ints{MPI_INT, MPI_INT, MPI_INT},
      mixed{MPI_INT, MPI_INT32_T, MPI_INT}, seconds{second, second, second},
      one_second{MPI_INT, second, MPI_INT};
  const auto exchange = [&](const auto& to, const auto& types, const char* what) {
    Ints out{};
    MPI_Alltoallw(in.data(), ones.data(), places.data(), ints.data(), out.data(), ones.data(), to.data(),
                  types.data(), MPI_COMM_WORLD);
    const std::array taken{out[0], out[2], out[4]};
    expect_that(are_taken(taken.data()), what);
  };
  exchange(apart, ints, "MPI_Alltoallw of one datatype");
  exchange(apart, mixed, "MPI_Alltoallw of several datatypes");
  exchange(shifted, seconds, "MPI_Alltoallw of one datatype that is not dense");
  exchange(std::array{0, 4, 16}, one_second, "MPI_Alltoallw of a datatype that is not dense among others");
  MPI_Type_free(&second);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  expect_right_calls();
  expect_mistakes();
  expect_right_calls();
  expect_calls_of_both_ways();
  expect_unusual_places();
  expect_typed_lists();
  MPI_Finalize();
  return 0;
}
