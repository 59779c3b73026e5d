// Short blocks among neighbours of which the arguments are as usual take a short way. What differs from them
// in one place is judged as ever, and meets those at their turns.
#include <mpi.h>

#include <array>
#include <cstdio>
#include <vector>

#include "support/expect.h"

namespace {

MPI_Comm ring;
int before, behind;  // neighbours
int own;

int class_of(int code) {
  int error_class = MPI_SUCCESS;
  MPI_Error_class(code, &error_class);
  return error_class;
}

void make_ring() {
  const int periodic = 1;
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
  MPI_Comm_set_errhandler(ring, MPI_ERRORS_RETURN);
  MPI_Cart_shift(ring, 0, 1, &before, &behind);
  MPI_Comm_rank(ring, &own);
}

/// What goes to the neighbour before: 10 r + 1, and behind: 10 r + 2.
std::array<int, 2> given() { return {10 * own + 1, 10 * own + 2}; }

void expect_taken(const std::array<int, 2>& taken, const char* what) {
  expect_that(taken[0] == 10 * before + 2 && taken[1] == 10 * behind + 1, what);
}

void expect_right_calls() {
  const auto in = given();
  std::array<int, 2> out{};
  MPI_Neighbor_alltoall(in.data(), 1, MPI_INT, out.data(), 4, MPI_BYTE, ring);
  expect_taken(out, "MPI_Neighbor_alltoall");
  MPI_Neighbor_allgather(&in[1], 1, MPI_INT, out.data(), 1, MPI_INT, ring);
  expect_that(out[0] == 10 * before + 2 && out[1] == 10 * behind + 2, "MPI_Neighbor_allgather");
}

/// One rank's blocks are not dense, or its call does not block.
void expect_calls_of_both_ways() {
  MPI_Datatype apart = MPI_DATATYPE_NULL;
  MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &apart);
  MPI_Type_commit(&apart);
  const auto in = given();
  std::array<int, 2> out{};
  if (own == 1) {
    std::array<int, 4> wide{};
    MPI_Neighbor_alltoall(in.data(), 1, MPI_INT, wide.data(), 1, apart, ring);
    out = {wide[0], wide[2]};
  } else {
    MPI_Neighbor_alltoall(in.data(), 1, MPI_INT, out.data(), 1, MPI_INT, ring);
  }
  expect_taken(out, "ranks with different datatypes");
  MPI_Type_free(&apart);
  out = {};
  MPI_Request request = MPI_REQUEST_NULL;
  if (own == 0) {
    MPI_Ineighbor_alltoall(in.data(), 1, MPI_INT, out.data(), 1, MPI_INT, ring, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Neighbor_alltoall(in.data(), 1, MPI_INT, out.data(), 1, MPI_INT, ring);
  }
  expect_taken(out, "a rank whose call does not block");
}

/// The first and the last one have one neighbour: their other block is neither read nor written.
void expect_nothing_behind_the_border() {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int open = 0;
  MPI_Comm line = MPI_COMM_NULL;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &open, 0, &line);
  const auto in = given();
  std::array<int, 2> out{-1, -1};
  MPI_Neighbor_alltoall(in.data(), 1, MPI_INT, out.data(), 1, MPI_INT, line);
  expect_that(out[0] == (own == 0 ? -1 : 10 * (own - 1) + 2), "before");
  expect_that(out[1] == (own == size - 1 ? -1 : 10 * (own + 1) + 1), "behind");
  MPI_Comm_free(&line);
}

void expect_mistakes() {
  std::array<int, 4> mixed{};
  const int overlap = MPI_Neighbor_alltoall(mixed.data(), 1, MPI_INT, mixed.data() + 1, 1, MPI_INT, ring);
  expect_that(class_of(overlap) == MPI_ERR_BUFFER, "buffers that overlap");
  const int inside = MPI_Neighbor_allgather(&mixed[1], 1, MPI_INT, mixed.data(), 1, MPI_INT, ring);
  expect_that(class_of(inside) == MPI_ERR_BUFFER, "an input within the result");
  const int nowhere = MPI_Neighbor_alltoall(nullptr, 1, MPI_INT, mixed.data(), 1, MPI_INT, ring);
  expect_that(class_of(nowhere) == MPI_ERR_BUFFER, "from nowhere");
  const int negative = MPI_Neighbor_alltoall(mixed.data(), -1, MPI_INT, mixed.data() + 2, -1, MPI_INT, ring);
  expect_that(class_of(negative) == MPI_ERR_COUNT, "a negative count");
  const int none =
      MPI_Neighbor_alltoall(mixed.data(), 1, MPI_INT, mixed.data() + 2, 1, MPI_INT, MPI_COMM_WORLD);
  expect_that(class_of(none) == MPI_ERR_TOPOLOGY, "a communicator without neighbours");
  for (const int value : mixed) expect_that(value == 0, "a call with a mistake changes nothing");
}

/// The communicator cannot be used any more.
void expect_other_length() {
  const auto in = given();
  std::array<int, 4> out{};
  const int code = MPI_Neighbor_alltoall(in.data(), 1, MPI_INT, out.data(), 2, MPI_INT, ring);
  expect_that(class_of(code) == MPI_ERR_TRUNCATE, "more is expected than neighbours give");
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  make_ring();
  expect_right_calls();
  expect_mistakes();
  expect_right_calls();
  expect_calls_of_both_ways();
  expect_nothing_behind_the_border();
  expect_other_length();
  MPI_Comm_free(&ring);
  MPI_Finalize();
  return 0;
}
